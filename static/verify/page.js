"use strict";
// The verifier's page. The check itself is in verify-core.js, in a worker where there can be one.
// Every text of a bundle goes into the page as text, never as markup.
(() => {
  const { verifyBundle, readKey, coverageWords, printable } = globalThis.EstreatVerifier;
  const byId = (id) => document.getElementById(id);
  const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
  const MAX_LISTED = 20; // logs, keys and lines of coverage: a bundle may have thousands

  const STEPS = {
    manifest: "Every file is there as the manifest lists it, and no other",
    checkpoint: "The checkpoint is signed by a key that you gave",
    proof: "The proof has its form, and is for this question",
    links: "The links lead to the checkpoint, none left out",
    entries: "Every entry is as it was sealed in its batch",
    count: "There are as many lines as the proof has",
    subject: "Exactly the entries that name the subject are shown",
    coverage: "How far this reaches, and what is not shown",
  };
  const MEANS = {
    manifest: "The bundle's files are not those that it was made of.",
    checkpoint: "Who vouches for this history, and for which log, is not shown.",
    proof: "The proof cannot be read, or is for something else.",
    links: "The history shown is not, or not wholly, the one that was signed.",
    entries: "An entry shown is not as it was sealed, or is not there.",
    count: "There are entries that nothing proves.",
    subject: "Entries that name the subject are left out or changed, or others were added.",
    coverage: "",
  };
  const STATES = { waiting: "waiting", running: "checking", ok: "ok", failed: "FAILED", unknown: "no key", skipped: "not checked" };
  const MEANING = {
    VERIFIED:
      "Nothing was changed since it was recorded, and nothing that names this id was left out, as far as the coverage reaches. " +
      "It does not say that what services sent was true or all that they did, nor that any law was kept.",
    ALTERED: "Something is not as it was recorded. The findings say what. Keep the bundle unchanged, and ask for it again.",
    MISSING: "Something that must be there is not. The findings say what. Keep the bundle unchanged, and ask for it again.",
    TRUNCATED: "The entries end early: perhaps the download was cut. Ask for the bundle again.",
    "UNKNOWN KEY":
      "All that can be checked without a key fits together, but not whose it is: anybody could have made it. " +
      "Paste the verifier keys above, obtained by another way than this bundle, and check again.",
  };

  const KINDS = { VERIFIED: "good", "UNKNOWN KEY": "open" };

  let file = null;
  let run = null; // what stops the check that runs
  let lines = new Map(); // the steps' lines, by log and step

  /** An element; strings become text. */
  function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }
  const code = (text) => el("code", null, text);
  const facts = (pairs) =>
    el("dl", { class: "facts" }, ...pairs.flatMap(([name, value]) => [el("dt", null, name), el("dd", null, value)]));
  /** Says how it stands: to the eye, and to whoever listens. */
  function say(text, kind = "") {
    byId("status").textContent = text;
    byId("status").className = kind;
  }

  // ── The question: a bundle, and keys ──────────────────────────────────────────────────

  /** The keys as they were pasted; each is shown with its fingerprint, or what is wrong with it. */
  function readKeys() {
    const texts = [...new Set(byId("keys").value.split(/\s+/).filter(Boolean))];
    const keys = [];
    const said = texts.map((text) => {
      try {
        const { name, fingerprint } = readKey(text);
        keys.push(text);
        return el("p", { class: "key" }, "Key of ", code(printable(name)), ", fingerprint ", code(fingerprint));
      } catch (error) {
        return el("p", { class: "error" }, "Not read: ", code(printable(text.slice(0, 40))), `: ${error.message}`);
      }
    });
    byId("keys-error").replaceChildren(...said);
    return keys.length === texts.length ? keys : null;
  }

  function check() {
    const keys = readKeys();
    byId("bundle-error").textContent = file ? "" : "Choose a bundle first.";
    if (!file) return byId("bundle").focus();
    if (!keys) return byId("keys").focus();
    run?.();
    clear();
    byId("result").hidden = false;
    const began = performance.now();
    const done = (report) => {
      if (!stopped) show(report, (performance.now() - began) / 1000, keys);
    };
    let stopped = false;
    const stopWork = start(keys, { progress: (it) => stopped || progress(it), done, fail: (why) => stopped || fail(why) });
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
        fail(error.message);
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
      if (spoke) fail(event.message);
      else alone();
    };
    worker.postMessage({ file, keys });
    return () => worker.terminate();
  }

  function clear() {
    for (const id of ["asked", "claimed", "steps", "findings", "coverage", "verdict", "entries"]) byId(id).replaceChildren();
    for (const id of ["findings-s", "coverage-s", "entries-s"]) byId(id).hidden = true;
    byId("verdict").append(el("p", { class: "note" }, "Being checked."));
    lines = new Map();
    stepLine("manifest", null);
    say("Checking the bundle.");
  }

  function fail(why) {
    run = null;
    const text = `It could not be looked at: ${why}.`;
    byId("verdict").replaceChildren(
      el("p", { class: "verdict bad" }, "NOT CHECKED"),
      el("p", null, `${text} This says nothing of what is in the bundle.`),
    );
    for (const line of lines.values()) if (line.state === "running") setState(line, "skipped");
    say(`Not checked. ${text}`, "bad");
  }

  // ── Steps, as they go ─────────────────────────────────────────────────────────────────

  function progress(it) {
    if (it.question) return showQuestion(it.question);
    const line = stepLine(it.step, it.log);
    if (!line) return;
    setState(line, it.state, it.total ? `${number(it.done)} of ${number(it.total)}` : "");
    if (it.state === "failed") say(`Step ${it.step}: failed.`);
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
      list.append(el("li", null, state, el("span", null, el("strong", null, each), `: ${STEPS[each]} `, count)));
      lines.set(`${log ?? ""} ${each}`, { state: "waiting", element: state, count });
      setState(lines.get(`${log ?? ""} ${each}`), "waiting");
    }
    if (log !== null) byId("steps").append(el("h3", null, "Log ", code(printable(log))));
    byId("steps").append(list);
    return lines.get(name);
  }

  function moreLogs() {
    if (byId("more-logs")) return;
    const text = "The other logs' steps are not listed one by one; what they find stands below.";
    byId("steps").append(el("p", { id: "more-logs" }, text));
  }

  function setState(line, state, count = "") {
    line.state = state;
    line.element.className = `state ${state}`;
    line.element.textContent = STATES[state];
    line.count.textContent = count;
  }

  function showQuestion({ subject, from, to, logs, purpose, requested_by, created_at }) {
    const some = logs.slice(0, MAX_LISTED).map(printable).join(", ");
    const more = logs.length > MAX_LISTED ? ` and ${number(logs.length - MAX_LISTED)} more` : "";
    const sender = (text) => el("span", null, printable(text), el("span", { class: "note" }, " (as the manifest says)"));
    byId("asked").replaceChildren(
      ...facts([
        ["Data subject", el("span", null, code(printable(subject)), el("span", { class: "note" }, " (exactly these characters)"))],
        ["Event times", `from ${from ?? "the beginning"} to ${to === null ? "the end" : `before ${to}`} (UTC)`],
        ["Logs", some + more],
        ["Purpose", sender(purpose)],
        ["Asked by", sender(requested_by)],
        ["Made at", sender(created_at)],
      ]).childNodes,
    );
  }

  // ── The report ────────────────────────────────────────────────────────────────────────

  function show(report, seconds, keys) {
    run = null;
    if (!report.question) {
      byId("asked").replaceChildren(...facts([["Data subject", "unknown: the manifest cannot be read"]]).childNodes);
    }
    showClaimed(report, keys);
    showFindings(report);
    showCoverage(report);
    showVerdict(report, seconds);
    showEntries(report);
    say(report.summary, KINDS[report.verdict] ?? "bad");
  }

  function showClaimed({ claimed_keys: claimed, manifest_note: note, signed_by: signer }, keys) {
    const whose = {
      holds: `manifest.note is signed by a key of ${printable(signer)} that you gave: report, table, purpose and requester are its word.`,
      fails: "manifest.note fails: report, table, purpose and requester are the sender's word alone.",
      "not checked": "manifest.note was not checked, for no key was given that signs it: report, table, purpose and requester are the sender's word alone.",
    };
    const box = el("div", { class: "sender" }, el("h3", null, "The sender's word"));
    box.append(el("p", { class: "note" }, whose[note] ?? "There is no manifest.note: report, table, purpose and requester are the sender's word alone."));
    if (claimed.length > 0) {
      box.append(
        el("p", { class: "note" }, "The bundle itself names these keys, which proves nothing. Compare the fingerprint with one that you got by another way."),
        ...claimed.slice(0, MAX_LISTED).map(({ name, fingerprint, text }) => {
          const given = keys.includes(text) ? " (you gave this key)" : "";
          return el("p", { class: "key" }, code(printable(name)), given, el("br"), "fingerprint ", code(fingerprint), el("br"), "key ", code(printable(text)));
        }),
      );
    }
    byId("claimed").replaceChildren(box);
  }

  function showFindings({ findings, unlisted_findings: more }) {
    byId("findings-s").hidden = findings.length === 0;
    const one = ({ step, verdict, where, what, expected, found }) =>
      el(
        "div",
        { class: verdict === "UNKNOWN KEY" ? "finding open" : "finding" },
        el("h3", null, `${verdict}: ${what}`),
        el("p", null, verdict === "UNKNOWN KEY" ? "Nobody whom you named vouches for this history." : MEANS[step]),
        facts([["Step", step], ["Where", where], ["Expected", code(expected)], ["Found", code(found)]]),
      );
    byId("findings").replaceChildren(...findings.map(one));
    if (more > 0) byId("findings").append(el("p", null, `And ${number(more)} more.`));
  }

  function showCoverage({ coverage }) {
    byId("coverage-s").hidden = coverage.length === 0;
    const line = (part) =>
      el(
        "li",
        null,
        el("span", { class: part.word === "COVERED" ? "state ok" : "state" }, part.word),
        el("span", null, code(printable(part.log)), `: ${coverageWords(part)}`),
      );
    const list = (parts) => el("ul", { class: "lines", role: "list" }, ...parts.map(line));
    byId("coverage").replaceChildren(list(coverage.slice(0, MAX_LISTED)));
    const rest = coverage.slice(MAX_LISTED, 1000);
    if (rest.length === 0) return;
    const left = coverage.length - MAX_LISTED;
    const all = rest.length < left ? `, of which the first ${number(rest.length)} stand here` : "";
    byId("coverage").append(el("details", null, el("summary", null, `${number(left)} more${all}`), list(rest)));
  }

  function showVerdict({ verdict, summary, counts }, seconds) {
    const shown = verdict === "VERIFIED" ? "" : ` ${number(counts.entries)} ${counts.entries === 1 ? "entry is" : "entries are"} shown.`;
    byId("verdict").replaceChildren(
      el("p", { class: `verdict ${KINDS[verdict] ?? "bad"}` }, summary),
      el("p", null, MEANING[verdict] + shown),
      el("p", { class: "note" }, `Checked in this browser in ${seconds.toFixed(1)} seconds.`),
    );
  }

  // ── Entries: from an entry to its hash, batch, link and checkpoint ────────────────────

  const ROWS_AT_ONCE = 100;
  const COLUMNS = ["operation", "outcome", "purpose", "actor", "resource"];

  function showEntries(report) {
    const { rows, counts, verdict } = report;
    byId("entries-s").hidden = false;
    if (rows.length === 0) {
      const proved = verdict === "VERIFIED" ? " That is proved: in every closed segment the place where it would stand is empty." : "";
      byId("entries").replaceChildren(el("p", { class: "empty" }, `No entry names this id in the range.${proved}`));
      return;
    }
    const titles = ["Entry", "Log", "Time (UTC)", "Operation", "Outcome", "Purpose", "Actor", "Resource"];
    const head = el("thead", null, el("tr", null, ...titles.map((title) => el("th", { scope: "col" }, title))));
    const body = el("tbody");
    // Some at a time, so that the page stays responsive; none any more once another check began.
    const fill = (from) => {
      const part = rows.slice(from, from + ROWS_AT_ONCE);
      body.append(...part.map((row, at) => entryRow(row, from + at, titles, report)));
      if (from + part.length < rows.length) setTimeout(() => body.isConnected && fill(from + part.length));
    };
    const part = rows.length < counts.entries ? `The first ${number(rows.length)} of ${number(counts.entries)}. ` : "";
    const doubt = {
      VERIFIED: [],
      "UNKNOWN KEY": [el("p", { class: "notice" }, "Nothing here is proved without a key that you trust.")],
    };
    byId("entries").replaceChildren(
      ...(doubt[verdict] ?? [el("p", { class: "notice bad" }, "Not all of this is proved: see the findings.")]),
      el("p", { class: "note" }, `${part}An entry's number opens its proof: hash, batch, link and checkpoint.`),
      el("table", { class: "stack" }, el("caption", { class: "unseen" }, "Entries"), head, body),
    );
    fill(0);
  }

  function entryRow(row, at, titles, report) {
    const button = el("button", { type: "button", class: "proof-button", "aria-expanded": "false", "aria-label": `Entry ${row.index} of ${row.log}: its proof` }, number(row.index));
    const texts = row.cells
      ? [row.log, row.time, ...COLUMNS.map((name) => row.cells[name])]
      : [row.log, row.because ? row.because.toUpperCase() : "no entry", ...COLUMNS.map(() => "")];
    const cell = (text, i) => el("td", { "data-label": titles[i + 1] }, ...(text ? [el("span", null, printable(text))] : []));
    const element = el("tr", null, el("th", { scope: "row" }, button), ...texts.map(cell));
    let proof = null;
    button.addEventListener("click", () => {
      if (!proof) {
        proof = el("tr", { class: "proof-row", id: `proof-${at}` }, el("td", { colspan: titles.length }, way(row, report)));
        button.setAttribute("aria-controls", proof.id);
        element.after(proof);
      } else {
        proof.hidden = !proof.hidden;
      }
      button.setAttribute("aria-expanded", String(!proof.hidden));
    });
    return element;
  }

  function way(row, { links, logs }) {
    const { leaf, fields } = links[row.link];
    const step = (title, ...content) => el("li", null, el("h3", null, title), ...content);
    const wrapped = (text) =>
      el("pre", { class: "wrap", tabindex: "0" }, code(text.split("\n").map(printable).join("\n")));
    const said = (text) => el("p", { class: "note" }, text);
    const own = row.text === null
      ? [said(row.because ? `Its bytes are ${row.because}; only its leaf hash is here.` : "Its line is not there.")]
      : [wrapped(row.text), said(`${number(row.bytes)} bytes, of which no other spelling is possible${row.text.length < row.bytes ? "; the first of them stand here" : ""}. ${localTime(row.time)}`)];
    const hash = [["Salt", code(row.salt ?? "not given")], ["Leaf hash", code(row.leaf ?? "unknown")]];
    const log = logs[row.log];
    return el(
      "ol",
      { class: "way" },
      step("Entry, exactly as it was sealed", ...own),
      step("Hash", said("SHA-256 of 0x00, the salt, and those bytes."), facts(hash)),
      step(
        `Batch: position ${number(row.position)} of ${number(fields.entry_count)}`,
        said("The leaf at this position, with the others' hashes, gives the batch's root, which stands in its link."),
        facts([["Root", code(fields.entries_root)]]),
      ),
      step(
        `Link ${number(fields.number)}`,
        facts([...Object.entries(fields).map(([name, value]) => [name, code(value)]), ["its leaf hash", code(leaf)]]),
      ),
      step(
        "Checkpoint",
        ...(log
          ? [
              said(`The link's leaf hash, with the others', gives the root over all ${number(log.size)} links of the log, and that is signed${log.signed_by ? "." : ", but not by a key that you gave."}`),
              facts([["Origin", code(log.origin)], ["Root", code(log.root)], ["Key's fingerprint", code(log.signed_by ?? "unknown")]]),
              wrapped(log.note),
            ]
          : [said("It could not be read.")]),
      ),
    );
  }

  /** A time in the reader's zone, beside the exact one in UTC. */
  function localTime(time) {
    const date = time && new Date(`${time.slice(0, 23)}Z`);
    if (!date || Number.isNaN(date.getTime())) return "";
    return `Event time where you are: ${date.toLocaleString("en", { dateStyle: "long", timeStyle: "long" })}.`;
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
  byId("keys").addEventListener("change", readKeys);
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
})();
