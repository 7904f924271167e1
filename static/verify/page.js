"use strict";
// The verifier's page. The check itself is in verify-core.js, in a worker where there can be one.
// It finds without words; they are here, from the server's message files, in the page's language.
// Every text of a bundle goes into the page as text, never as markup.
(() => {
  const { verifyBundle, readKey, printable, failure } = globalThis.EstreatVerifier;
  const byId = (id) => document.getElementById(id);
  const MESSAGES = JSON.parse(byId("verifier").dataset.words);
  const MAX_LISTED = 20; // logs, keys and lines of coverage: a bundle may have thousands

  // The keys of each step's name, of what it does, and of what its findings mean.
  const STEPS = {
    manifest: ["checker-step-manifest", "checker-does-manifest", "checker-means-manifest"],
    checkpoint: ["checker-step-checkpoint", "checker-does-checkpoint", "checker-means-checkpoint"],
    proof: ["checker-step-proof", "checker-does-proof", "checker-means-proof"],
    links: ["checker-step-links", "checker-does-links", "checker-means-links"],
    entries: ["checker-step-entries", "checker-does-entries", "checker-means-entries"],
    count: ["checker-step-count", "checker-does-count", "checker-means-count"],
    subject: ["checker-step-subject", "checker-does-subject", "checker-means-subject"],
    coverage: ["checker-step-coverage", "checker-does-coverage", null],
  };
  const STATES = {
    waiting: "checker-state-waiting",
    running: "checker-state-running",
    ok: "checker-state-ok",
    failed: "checker-state-failed",
    unknown: "checker-state-unknown",
    skipped: "checker-state-skipped",
  };
  // The keys of each verdict's word, and of what it means and what to do.
  const VERDICTS = {
    VERIFIED: ["verdict-verified", "checker-means-verified"],
    ALTERED: ["verdict-altered", "checker-means-altered"],
    MISSING: ["verdict-missing", "checker-means-missing"],
    TRUNCATED: ["verdict-truncated", "checker-means-truncated"],
    "UNKNOWN KEY": ["verdict-unknown-key", "checker-means-no-key"],
  };
  const COVERAGE = { COVERED: "checker-covered", "NOT COVERED": "checker-not-covered", WITHHELD: "checker-withheld", ERASED: "checker-erased" };
  const NOTES = { holds: "checker-note-holds", fails: "checker-note-fails", "not checked": "checker-note-not-checked" };
  const BYTES = { withheld: "checker-bytes-withheld", erased: "checker-bytes-erased" };
  const KINDS = { VERIFIED: "good", "UNKNOWN KEY": "open" };

  let words = null;
  let file = null;
  let run = null; // what stops the check that runs
  let ended = null; // shows the end of the last check, in the page's language
  let lines = new Map(); // the steps' lines, by log and step
  let opened = new Set(); // the rows whose proof is open

  /** An element; strings become text. */
  function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
  }
  const code = (text) => el("code", null, text);
  const facts = (pairs) =>
    el("dl", { class: "facts" }, ...pairs.flatMap(([name, value]) => [el("dt", null, name), el("dd", null, value)]));

  // ── Words ─────────────────────────────────────────────────────────────────────────────

  const number = (value) => words.number(value);
  const text = (key, args) => words.text(key, args);
  const said = (key, args) => ({ key, args });

  /** A message as nodes. */
  function say(key, args) {
    return words.runs(key, args).map(({ text, code, strong, outside, name }) => {
      // A detail is in a browser's own words, and those are English.
      const mark = name === "detail" ? { lang: "en" } : { dir: "ltr" };
      let node = outside ? el("bdi", mark, text) : document.createTextNode(text);
      if (code) node = el("code", null, node);
      return strong ? el("strong", null, node) : node;
    });
  }
  /** A value of a finding: a number, a text, or what is said by a key. */
  function fact(value) {
    if (typeof value === "number") return code(number(value));
    return typeof value === "object" ? el("span", null, say(value.key, value.args)) : code(value);
  }
  const place = (where) =>
    where.flatMap((part, at) => [at > 0 ? ", " : null, ...(typeof part === "object" ? say(part.key, part.args) : [part])]);

  /** Says how it stands: to the eye, and to whoever listens. */
  function tell(text, kind = "") {
    byId("status").textContent = text;
    byId("status").className = kind;
  }

  const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)\.(\d{6})Z$/;

  /** A time of a bundle in words, to the microsecond; what is none as it is. */
  function moment(time) {
    const [, year, month, day, clock, micros] = TIME.exec(time) ?? [];
    if (year === undefined) return printable(time);
    const exact = micros === "000000" ? clock : words.decimal(`${clock}.${micros}`);
    const date = said("day", { day: String(Number(day)), month: Number(month), year });
    return said("checker-moment", { day: date, time: exact });
  }

  /** Turns the page to a language, and says again what stands there. */
  function speak(lang) {
    words = new globalThis.EstreatWords(lang, MESSAGES[lang]);
    document.documentElement.lang = lang;
    document.title = `${text("checker-title")} · Estreat`;
    for (const element of document.querySelectorAll("[data-say]")) element.replaceChildren(...say(element.dataset.say));
    for (const button of document.querySelectorAll("[data-speak]")) button.hidden = button.dataset.speak === lang;
    if (byId("keys-error").hasChildNodes()) readKeys();
    if (byId("bundle-error").hasChildNodes()) needBundle();
    if (run) check();
    else ended?.();
  }

  // ── The question: a bundle, and keys ──────────────────────────────────────────────────

  /** The keys as they were pasted; each is shown with its fingerprint, or what is wrong with it. */
  function readKeys() {
    const texts = [...new Set(byId("keys").value.split(/\s+/).filter(Boolean))];
    const keys = [];
    const rows = texts.map((text) => {
      try {
        const { name, fingerprint } = readKey(text);
        keys.push(text);
        return el("p", { class: "key" }, say("checker-key-read", { name: printable(name), fingerprint }));
      } catch (error) {
        const flaw = failure(error);
        return el("p", { class: "error" }, say("checker-key-refused", { text: printable(text.slice(0, 40)), flaw }));
      }
    });
    byId("keys-error").replaceChildren(...rows);
    return keys.length === texts.length ? keys : null;
  }

  function needBundle() {
    byId("bundle-error").textContent = file ? "" : text("checker-bundle-none");
    return file !== null;
  }

  function check() {
    const keys = readKeys();
    if (!needBundle()) return byId("bundle").focus();
    if (!keys) return byId("keys").focus();
    run?.();
    ended = null;
    opened = new Set();
    clear();
    byId("result").hidden = false;
    const began = performance.now();
    const end = (show) => {
      run = null;
      ended = show;
      show();
    };
    const done = (report) => {
      const seconds = (performance.now() - began) / 1000;
      if (!stopped) end(() => show(report, seconds, keys));
    };
    const fail = (why) => stopped || end(() => showFailure(why));
    let stopped = false;
    const stopWork = start(keys, { progress: (it) => stopped || progress(it), done, fail });
    run = () => {
      stopped = true;
      stopWork();
    };
  }

  /** Starts the check, in a worker if the browser allows one; gives back what stops it. */
  function start(keys, { progress, done, fail }) {
    const script = byId("verify-core");
    const url = script.src || URL.createObjectURL(new Blob([script.textContent], { type: "text/javascript" }));
    let worker = null;
    const alone = async () => {
      try {
        const breathe = () => new Promise((resume) => setTimeout(resume));
        done(await verifyBundle(new Uint8Array(await file.arrayBuffer()), keys, progress, breathe));
      } catch (error) {
        fail(failure(error));
      }
    };
    try {
      worker = new Worker(url);
    } catch {
      alone();
      return () => {};
    }
    let spoke = false;
    worker.onmessage = ({ data }) => {
      spoke = true;
      if (data.progress) return progress(data.progress);
      worker.terminate();
      if (data.report) done(data.report);
      else fail(data.failure);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      if (spoke) fail(failure(event));
      else alone();
    };
    worker.postMessage({ file, keys });
    return () => worker.terminate();
  }

  function clear() {
    for (const id of ["asked", "claimed", "steps", "findings", "coverage", "verdict", "entries"]) byId(id).replaceChildren();
    for (const id of ["findings-s", "coverage-s", "entries-s"]) byId(id).hidden = true;
    byId("verdict").append(el("p", { class: "note" }, say("checker-being-checked")));
    lines = new Map();
    stepLine("manifest", null);
    tell(text("checker-checking"));
  }

  function showFailure(why) {
    byId("verdict").replaceChildren(
      el("p", { class: "verdict bad" }, say("checker-not-checked")),
      el("p", null, say("checker-not-looked", { why })),
    );
    for (const line of lines.values()) setState(line, line.state === "running" ? "skipped" : line.state);
    tell(text("checker-not-looked", { why }), "bad");
  }

  // ── Steps, as they go ─────────────────────────────────────────────────────────────────

  function progress(it) {
    if (it.question) return showQuestion(it.question);
    const line = stepLine(it.step, it.log);
    if (!line) return;
    setState(line, it.state, it.total ? text("checker-count", { done: it.done, total: it.total }) : "");
    if (it.state === "failed") tell(text("checker-step-failed", { step: said(STEPS[it.step][0]) }));
  }

  /** The line of a step; that of a log's first step begins the log's list. */
  function stepLine(step, log) {
    const name = `${log ?? ""} ${step}`;
    if (lines.has(name)) return lines.get(name);
    if (log !== null && lines.size > MAX_LISTED * 7) return moreLogs();
    const steps = log === null ? ["manifest"] : Object.keys(STEPS).slice(1);
    const list = el("ol", { class: "lines", role: "list" });
    for (const each of steps) {
      const state = el("span", { class: "state" });
      const count = el("span", { class: "note n" });
      const [own, does] = STEPS[each];
      list.append(el("li", null, state, el("span", null, el("strong", null, say(own)), ": ", say(does), " ", count)));
      lines.set(`${log ?? ""} ${each}`, { state: "waiting", element: state, count });
      setState(lines.get(`${log ?? ""} ${each}`), "waiting");
    }
    if (log !== null) byId("steps").append(el("h3", null, say("checker-log", { log: printable(log) })));
    byId("steps").append(list);
    return lines.get(name);
  }

  function moreLogs() {
    if (byId("more-logs")) return;
    byId("steps").append(el("p", { id: "more-logs" }, say("checker-more-logs")));
  }

  function setState(line, state, count = "") {
    line.state = state;
    line.element.className = `state ${state}`;
    line.element.textContent = text(STATES[state]);
    line.count.textContent = count;
  }

  function showQuestion({ subject, from, to, logs, purpose, requested_by, created_at }) {
    const some = logs.slice(0, MAX_LISTED).map(printable).join(", ");
    const more = { logs: some, n: logs.length - MAX_LISTED };
    const range = [
      ["report-range-all", "report-range-to"],
      ["report-range-from", "report-range-both"],
    ][Number(from !== null)][Number(to !== null)];
    const sender = (said) => say("checker-says-manifest", { text: said });
    byId("asked").replaceChildren(
      ...facts([
        [say("report-subject"), el("span", null, say("checker-subject-exactly", { subject: printable(subject) }))],
        [say("report-range"), say(range, { from: moment(from), to: moment(to) })],
        [say("report-logs"), more.n > 0 ? say("checker-logs-more", more) : some],
        [say("report-purpose"), sender(printable(purpose))],
        [say("report-asked-by"), sender(printable(requested_by))],
        [say("report-made-at"), sender(moment(created_at))],
      ]).childNodes,
    );
  }

  // ── The report ────────────────────────────────────────────────────────────────────────

  /** Shows a report, and the steps that led to it. */
  function show(report, seconds, keys) {
    clear();
    if (report.question) showQuestion(report.question);
    else byId("asked").replaceChildren(...facts([[say("report-subject"), say("checker-subject-unknown")]]).childNodes);
    for (const step of report.steps) progress(step);
    showClaimed(report, keys);
    showFindings(report);
    showCoverage(report);
    showVerdict(report, seconds);
    showEntries(report);
    tell(summary(report).map((node) => node.textContent).join(""), KINDS[report.verdict] ?? "bad");
  }

  function showClaimed({ claimed_keys: claimed, manifest_note: note, signed_by: signer }, keys) {
    const box = el("div", { class: "sender" }, el("h3", null, say("checker-sender")));
    box.append(el("p", { class: "note" }, say(NOTES[note] ?? "checker-note-none", { signer: printable(signer) })));
    if (claimed.length > 0) {
      box.append(
        el("p", { class: "note" }, say("checker-claimed")),
        ...claimed.slice(0, MAX_LISTED).map(({ name, fingerprint, text }) => {
          const given = keys.includes(text) ? [" ", ...say("checker-claimed-given")] : [];
          const print = say("checker-fingerprint", { fingerprint });
          const key = say("checker-key", { key: printable(text) });
          return el("p", { class: "key" }, code(printable(name)), given, el("br"), print, el("br"), key);
        }),
      );
    }
    byId("claimed").replaceChildren(box);
  }

  function showFindings({ findings, unlisted_findings: more }) {
    byId("findings-s").hidden = findings.length === 0;
    const one = ({ step, verdict, where, what, expected, found }) => {
      const open = verdict === "UNKNOWN KEY";
      const [name, , means] = STEPS[step];
      return el(
        "div",
        { class: open ? "finding open" : "finding" },
        el("h3", null, say("checker-finding", { verdict: said(VERDICTS[verdict][0]), what: said(what) })),
        el("p", null, say(open ? "checker-means-unknown-key" : means)),
        facts([
          [say("checker-step"), say(name)],
          [say("checker-where"), place(where)],
          [say("checker-expected"), fact(expected)],
          [say("checker-found"), fact(found)],
        ]),
      );
    };
    byId("findings").replaceChildren(...findings.map(one));
    if (more > 0) byId("findings").append(el("p", null, say("checker-findings-more", { n: more })));
  }

  /** What one line of the coverage says. */
  function covers({ word, log: name, segments, entries_end: end, committed_at: at, first_entry: first, link, position }) {
    const log = printable(name);
    if (word === "COVERED" && at === null) return say("checker-covers-none", { log });
    if (word === "COVERED") return say("checker-covers", { log, segments, entries: end, at: moment(at) });
    if (word !== "NOT COVERED") return say("checker-at-position", { log, position, link });
    return end === null ? say("checker-open-on", { log, first }) : say("checker-open-to", { log, first, last: end - 1 });
  }

  function showCoverage({ coverage }) {
    byId("coverage-s").hidden = coverage.length === 0;
    const state = (word) => el("span", { class: word === "COVERED" ? "state ok" : "state" }, say(COVERAGE[word]));
    const line = (part) => el("li", null, state(part.word), el("span", null, covers(part)));
    const list = (parts) => el("ul", { class: "lines", role: "list" }, ...parts.map(line));
    byId("coverage").replaceChildren(list(coverage.slice(0, MAX_LISTED)));
    const rest = coverage.slice(MAX_LISTED, 1000);
    if (rest.length === 0) return;
    const n = coverage.length - MAX_LISTED;
    const more = rest.length < n ? say("checker-more-some", { n, shown: rest.length }) : say("checker-more", { n });
    byId("coverage").append(el("details", null, el("summary", null, more), list(rest)));
  }

  /** The verdict in one line, with its count where it is good. */
  function summary({ verdict, question, findings, unlisted_findings: more, counts }) {
    if (verdict !== "VERIFIED" || !question) {
      return say("checker-summary", { verdict: said(VERDICTS[verdict][0]), n: findings.length + more });
    }
    const hidden = [
      ["report-of-them-withheld", counts.withheld],
      ["report-of-them-erased", counts.erased],
    ];
    const named = say("report-verified", { entries: counts.entries, subject: printable(question.subject) });
    return [...named, ...hidden.filter(([, n]) => n > 0).flatMap(([key, n]) => [document.createTextNode(", "), ...say(key, { n })])];
  }

  function showVerdict(report, seconds) {
    const { verdict, counts } = report;
    const shown = verdict === "VERIFIED" ? [] : [" ", ...say("checker-shown", { n: counts.entries })];
    const took = { seconds: words.decimal(seconds.toFixed(1)) };
    byId("verdict").replaceChildren(
      el("p", { class: `verdict ${KINDS[verdict] ?? "bad"}` }, summary(report)),
      el("p", null, say(VERDICTS[verdict][1]), shown),
      el("p", { class: "note" }, say("checker-took", took)),
    );
  }

  // ── Entries: from an entry to its hash, batch, link and checkpoint ────────────────────

  const ROWS_AT_ONCE = 100;
  const COLUMNS = ["operation", "outcome", "purpose", "actor", "resource"];
  const TITLES = ["report-entry", "report-log", "checker-time", "report-operation", "report-outcome", "report-purpose", "report-actor", "report-resource"];

  function showEntries(report) {
    const { rows, counts, verdict } = report;
    byId("entries-s").hidden = false;
    if (rows.length === 0) {
      const proved = verdict === "VERIFIED" ? [" ", ...say("checker-none-proved")] : [];
      byId("entries").replaceChildren(el("p", { class: "empty" }, say("checker-none"), proved));
      return;
    }
    const titles = TITLES.map((key) => text(key));
    const head = el("thead", null, el("tr", null, ...titles.map((title) => el("th", { scope: "col" }, title))));
    const body = el("tbody");
    // Some at a time, so that the page stays responsive; none any more once another check began.
    const fill = (from) => {
      const part = rows.slice(from, from + ROWS_AT_ONCE);
      body.append(...part.map((row, at) => entryRow(row, from + at, titles, report)).flat());
      if (from + part.length < rows.length) setTimeout(() => body.isConnected && fill(from + part.length));
    };
    const part = rows.length < counts.entries ? [...say("checker-first-of", { shown: rows.length, all: counts.entries }), " "] : [];
    const doubt = {
      VERIFIED: [],
      "UNKNOWN KEY": [el("p", { class: "notice" }, say("checker-no-trust"))],
    };
    byId("entries").replaceChildren(
      ...(doubt[verdict] ?? [el("p", { class: "notice bad" }, say("checker-unproved"))]),
      el("p", { class: "note" }, part, say("checker-opens")),
      el("table", { class: "stack" }, el("caption", { class: "unseen" }, say("checker-entries")), head, body),
    );
    fill(0);
  }

  /** The row of an entry, and that of its proof if it was open. */
  function entryRow(row, at, titles, report) {
    const label = text("checker-proof-of", { entry: row.index, log: printable(row.log) });
    const button = el("button", { type: "button", class: "proof-button", "aria-expanded": "false", "aria-label": label }, number(row.index));
    const none = row.because ? COVERAGE[row.because.toUpperCase()] : "checker-no-entry";
    const cells = row.cells
      ? [row.log, row.time.replace("T", " ").replace("Z", ""), ...COLUMNS.map((name) => row.cells[name])]
      : [row.log, text(none), ...COLUMNS.map(() => "")];
    const cell = (text, i) => el("td", { "data-label": titles[i + 1] }, ...(text ? [el("span", null, printable(text))] : []));
    const element = el("tr", null, el("th", { scope: "row" }, button), ...cells.map(cell));
    let proof = null;
    const open = () => {
      proof = el("tr", { class: "proof-row", id: `proof-${at}` }, el("td", { colspan: titles.length }, way(row, report)));
      button.setAttribute("aria-controls", proof.id);
      button.setAttribute("aria-expanded", "true");
      opened.add(at);
    };
    button.addEventListener("click", () => {
      if (!proof) {
        open();
        return element.after(proof);
      }
      proof.hidden = !proof.hidden;
      button.setAttribute("aria-expanded", String(!proof.hidden));
      opened[proof.hidden ? "delete" : "add"](at);
    });
    if (!opened.has(at)) return [element];
    open();
    return [element, proof];
  }

  function way(row, { links, logs }) {
    const { leaf, fields } = links[row.link];
    const step = (title, ...content) => el("li", null, el("h3", null, title), ...content);
    const wrapped = (text) =>
      el("pre", { class: "wrap", tabindex: "0" }, code(text.split("\n").map(printable).join("\n")));
    const note = (...content) => el("p", { class: "note" }, ...content);
    const unknown = () => el("span", null, say("checker-unknown"));
    const hash = [
      [say("checker-salt"), row.salt ? code(row.salt) : el("span", null, say("checker-salt-none"))],
      [say("checker-leaf"), row.leaf ? code(row.leaf) : unknown()],
    ];
    const log = logs[row.log];
    const position = { position: row.position, n: Number(fields.entry_count) };
    return el(
      "ol",
      { class: "way" },
      step(say("checker-way-entry"), ...ownBytes(row, wrapped, note)),
      step(say("checker-hash"), note(say("checker-hash-of")), facts(hash)),
      step(say("checker-batch", position), note(say("checker-batch-of")), facts([[say("checker-root"), code(fields.entries_root)]])),
      step(
        say("checker-link", { n: Number(fields.number) }),
        // Names as the format has them.
        facts([...Object.entries(fields).map(([name, value]) => [code(name), code(value)]), [say("checker-leaf"), code(leaf)]]),
      ),
      step(
        say("checker-checkpoint"),
        ...(log
          ? [
              note(say(log.signed_by ? "checker-signed" : "checker-signed-by-other", { n: log.size })),
              facts([
                [say("checker-origin"), code(log.origin)],
                [say("checker-root"), code(log.root)],
                [say("checker-key-fingerprint"), log.signed_by ? code(log.signed_by) : unknown()],
              ]),
              wrapped(log.note),
            ]
          : [note(say("checker-unread"))]),
      ),
    );
  }

  /** An entry's bytes, or why they are not there. */
  function ownBytes(row, wrapped, note) {
    if (row.text === null) return [note(say(BYTES[row.because] ?? "checker-bytes-gone"))];
    const first = row.text.length < row.bytes ? [" ", ...say("checker-bytes-first")] : [];
    const local = localTime(row.time);
    const time = local ? [" ", ...say("checker-local", { time: local })] : [];
    return [wrapped(row.text), note(say("checker-bytes", { n: row.bytes }), first, time)];
  }

  /** A time in the reader's zone, beside the exact one in UTC. */
  function localTime(time) {
    const date = time && new Date(`${time.slice(0, 23)}Z`);
    if (!date || Number.isNaN(date.getTime())) return "";
    const style = { dateStyle: "long", timeStyle: "long" };
    return date.toLocaleString(words.lang === "en" ? "en-GB" : words.lang, style);
  }

  // ── Beginning ─────────────────────────────────────────────────────────────────────────

  function take(chosen) {
    file = chosen ?? null;
    if (file) check();
  }
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  byId("bundle").addEventListener("change", (event) => take(event.target.files[0]));
  // Not when they are left: what is said of them moves the button that is about to be pressed.
  byId("keys").addEventListener("input", readKeys);
  // The whole page takes a drop: a bundle that misses its place must not open in the browser.
  addEventListener("dragover", (event) => {
    event.preventDefault();
    byId("drop").classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) byId("drop").classList.remove("over");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    byId("drop").classList.remove("over");
    const { files } = event.dataTransfer;
    if (files.length > 0) byId("bundle").files = files;
    take(files[0]);
  });
  for (const button of document.querySelectorAll("[data-speak]")) {
    button.addEventListener("click", () => {
      speak(button.dataset.speak);
      // The button pressed is gone; the way back has its place.
      document.querySelector("[data-speak]:not([hidden])")?.focus();
    });
  }
  speak(document.documentElement.lang);
})();
