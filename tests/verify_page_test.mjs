// The browser's verifier, against the format's vectors and against bundles changed by one byte.
//
//     node --test tests/
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const here = (path) => new URL(path, import.meta.url);
/** Numbers of many digits stay texts: JSON.parse would round them. */
const vectors = (name) =>
  JSON.parse(readFileSync(here(`vectors/${name}`), "utf8").replace(/(?<=[^\\]": *)-?\d{16,}/g, '"$&"'));
const bundle = (file) => new Uint8Array(readFileSync(here(`vectors/${file}`)));

// The parts run as one script, as in a worker; what they keep to themselves is looked at too.
const parts = ["crypto", "bundle", "check"].map((name) => readFileSync(here(`../static/verify/${name}.js`), "utf8"));
const names =
  "Bad, Unreadable, failure, Zip, H, sha512, hex, unhex, compareBytes, signed, signedByArithmetic, decodeEdwards, fromBytes, vrfOutput, leafHash, " +
  "partialRoot, readBase64, readTime, writeTime, readLink, readEntry, readKey, readNote, readCheckpoint, signerOf, " +
  "verifyBundle, printable, crc32, u64Bytes";
const load = (script) => vm.runInThisContext(`(() => {${script}\nreturn { ${names} };})()`);
const core = load(parts.join("\n"));
const { Bad, Unreadable, hex, unhex, verifyBundle } = core;
const UTF8 = new TextEncoder();
const plain = (value) => JSON.parse(JSON.stringify(value));

/** Each message of a language with the names of what is put into it. */
function messages(lang) {
  const found = new Map();
  let names = null;
  for (const line of readFileSync(here(`../templates/messages/${lang}.ftl`), "utf8").split("\n")) {
    const [, key] = /^([a-z][a-z0-9-]*) =/.exec(line) ?? [];
    if (key) found.set(key, (names = new Set()));
    if (!line.startsWith("#")) for (const [, name] of line.matchAll(/\$([a-z_]+)/g)) names?.add(name);
  }
  return found;
}
const MESSAGES = { en: messages("en"), de: messages("de") };

/** That there are words for what is said, in each language, and for nothing that is not given. */
function checkSaid(value) {
  if (typeof value !== "object") return assert.ok(["string", "number"].includes(typeof value), String(value));
  for (const [lang, known] of Object.entries(MESSAGES)) {
    assert.ok(known.has(value.key), `${lang}: there are no words for ${value.key}`);
    assert.deepEqual([...known.get(value.key)].sort(), Object.keys(value.args).sort(), `${lang}: ${value.key}`);
  }
  Object.values(value.args).forEach(checkSaid);
}
function checkWords(report) {
  for (const { where, what, expected, found } of report.findings) {
    checkSaid({ key: what, args: {} });
    [...where, expected, found].forEach(checkSaid);
  }
  return report;
}

const CASES = vectors("bundles.json").cases;
const SOUND = CASES.find(({ file }) => file === "bundles/sound_withheld.zip");
const KEYS = CASES[0].key;

test("hashes are those of another implementation, at every length around a block", () => {
  for (let length = 0; length < 300; length++) {
    const bytes = crypto.randomBytes(length);
    for (const [name, hash] of [["sha256", core.H], ["sha512", core.sha512]]) {
      const expected = crypto.createHash(name).update(bytes).digest("hex");
      assert.equal(hex(hash(bytes)), expected);
      assert.equal(hex(hash(bytes.subarray(0, length >> 1), bytes.subarray(length >> 1))), expected);
    }
  }
});

test("signatures are checked alike by the browser and by arithmetic", async () => {
  const { publicKey, privateKey } = crypto.generateKeyPairSync("ed25519");
  const key = new Uint8Array(publicKey.export({ format: "der", type: "spki" }).subarray(-32));
  const message = UTF8.encode("text");
  const signature = new Uint8Array(crypto.sign(null, message, privateKey));
  const byArithmetic = (message, signature) => {
    const [r, s] = [core.decodeEdwards(signature.subarray(0, 32)), core.fromBytes(signature.subarray(32))];
    return r !== null && core.signedByArithmetic(core.decodeEdwards(key), r, s, core.sha512(signature.subarray(0, 32), key, message));
  };
  assert.ok(await core.signed(key, message, signature));
  assert.ok(byArithmetic(message, signature));
  assert.ok(!(await core.signed(key, UTF8.encode("Text"), signature)));
  assert.ok(!byArithmetic(UTF8.encode("Text"), signature));
  for (let at = 0; at < 64; at += 3) {
    const changed = Uint8Array.from(signature);
    changed[at] ^= 1 << (at % 8);
    assert.ok(!(await core.signed(key, message, changed)), `byte ${at}`);
    assert.ok(!byArithmetic(message, changed), `byte ${at}`);
  }
  // The identity signs everything: a key of small order is nobody's.
  const small = Uint8Array.of(1, ...new Array(31).fill(0));
  assert.ok(!(await core.signed(small, message, Uint8Array.of(...small, ...new Array(32).fill(0)))));
});

test("the verifiable random function gives the vectors' outputs and tags", () => {
  const data = vectors("subjects.json");
  const { public: key, alpha, proof, beta } = data.c2sp_vector;
  assert.equal(hex(core.vrfOutput(unhex(key), unhex(alpha), unhex(proof))), beta);
  const alphaOf = (subject) => Uint8Array.of(...unhex(data.log_id), ...UTF8.encode(subject));
  for (const row of data.tags) {
    const output = core.vrfOutput(unhex(data.index_key), alphaOf(row.subject), unhex(row.proof));
    assert.equal(hex(output), row.beta);
    for (const { segment, tag } of row.tags) {
      assert.equal(hex(core.H(output, core.u64Bytes(segment)).subarray(0, 16)), tag);
    }
  }
  for (const row of data.refused.cases) {
    const key = unhex(row.index_key ?? data.index_key);
    assert.throws(() => core.vrfOutput(key, alphaOf(row.subject), unhex(row.proof)), Bad, row.what);
  }
});

test("partial trees give the vectors' roots, and no other do", () => {
  const data = vectors("merkle.json");
  const leaf = (at) => core.leafHash(Uint8Array.of(at >> 24, at >> 16, at >> 8, at));
  const root = (size, { known, tree }) => {
    const nodes = tree.map(([level, index, hash]) => [level, index, core.readBase64(hash, 32)]);
    return hex(core.partialRoot(size, known.map((at) => [at, leaf(at)]), nodes));
  };
  for (const row of data.cases) for (const part of row.partial) assert.equal(root(row.size, part), row.root);
  for (const row of data.refused.cases) {
    let found = null;
    try {
      found = root(row.size, row);
    } catch (error) {
      assert.ok(error instanceof Bad, row.what);
    }
    assert.notEqual(found, data.refused.root, row.what);
  }
});

test("entries, links and notes are read as the vectors say, and others refused", async () => {
  const entries = vectors("entries.json");
  for (const row of entries.facts.cases) {
    const { time, subjects } = core.readEntry(UTF8.encode(row.entry));
    assert.equal(time, BigInt(row.time));
    assert.deepEqual([...subjects].sort(), [...row.subjects].sort());
  }
  for (const row of entries.refused.cases) {
    assert.throws(() => core.readEntry(UTF8.encode(row.entry)), Bad, row.what);
  }
  const links = vectors("links.json");
  for (const row of links.cases) {
    const link = core.readLink(unhex(row.bytes));
    assert.equal(hex(core.leafHash(unhex(row.bytes))), row.leaf);
    for (const [name, value] of Object.entries(row.fields)) {
      if (!(name in link)) continue;
      assert.equal(link[name] instanceof Uint8Array ? hex(link[name]) : String(link[name]), String(value), name);
    }
  }
  for (const row of links.refused) assert.throws(() => core.readLink(unhex(row.bytes)), Bad, row.what);

  const notes = vectors("checkpoint.json");
  const key = core.readKey(notes.vkey);
  const open = async (text) => {
    const note = core.readNote(UTF8.encode(text));
    if (typeof (await core.signerOf(note, [key])) === "string") throw new Bad("signed by none that is known");
    return core.readCheckpoint(note.text);
  };
  for (const row of notes.cases) assert.equal((await open(row.note)).origin, notes.origin);
  for (const row of notes.refused) await assert.rejects(open(row.note), Bad, row.what);
});

test("times are exact to the microsecond", () => {
  for (const text of ["0001-01-01T00:00:00.000000Z", "1969-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"]) {
    assert.equal(core.writeTime(core.readTime(text)), text);
  }
  assert.equal(core.readTime("1969-12-31T23:59:59.999999Z"), -1n);
  for (const text of ["0000-01-01T00:00:00.000000Z", "2026-02-29T00:00:00.000000Z", "2026-01-01T24:00:00.000000Z", "2026-01-01T00:00:60.000000Z"]) {
    assert.throws(() => core.readTime(text), Bad, text);
  }
});

test("every bundle of the vectors is judged as they say", async () => {
  for (const { file, what, key, expect } of CASES) {
    const report = checkWords(await verifyBundle(bundle(file), [key].flat()));
    if (expect.exit === 0) {
      const { counts, manifest_note, verdict, findings } = report;
      assert.deepEqual(plain(findings), [], file);
      assert.equal(verdict, "VERIFIED");
      assert.deepEqual(plain({ exit: 0, ...counts, manifest_note }), expect, file);
    } else {
      const words = report.findings.map(({ step, verdict }) => `${step} ${verdict}`);
      assert.ok(words.includes(`${expect.step} ${expect.verdict}`), `${file}: ${what}: ${words}`);
      assert.notEqual(report.verdict, "VERIFIED");
    }
  }
});

test("without a key all else is checked, and the verdict says so", async () => {
  const report = checkWords(await verifyBundle(bundle("bundles/sound.zip"), []));
  assert.equal(report.verdict, "UNKNOWN KEY");
  assert.equal(report.manifest_note, "not checked");
  const states = report.steps.map(({ step, state }) => [step, state]).filter(([, state]) => state !== "ok");
  assert.deepEqual(plain(states), [["checkpoint", "unknown"]]);
  assert.equal((await verifyBundle(bundle("bundles/entry_byte.zip"), [])).verdict, "ALTERED");
});

test("a page over plain HTTP, where the browser has no cryptography, comes to the same", async () => {
  const script = parts.join("\n").replace("globalThis.crypto?.subtle", "undefined");
  assert.notEqual(script, parts.join("\n"));
  const bare = load(script);
  for (const { file, key } of [SOUND, ...CASES.filter(({ file }) => /other|bit/.test(file))]) {
    const [a, b] = [await bare.verifyBundle(bundle(file), [key].flat()), await verifyBundle(bundle(file), [key].flat())];
    assert.deepEqual(plain(a), plain(b), file);
  }
});

test("an entry leads to its hash, batch, link and checkpoint", async () => {
  const { rows, links, logs } = await verifyBundle(bundle(SOUND.file), [SOUND.key].flat());
  assert.equal(rows.length, 4);
  for (const row of rows) {
    const { leaf, fields } = links[row.link];
    assert.equal(Number(fields.first_entry) + row.position, row.index);
    assert.equal(hex(core.leafHash(unhex(fields.bytes))), leaf);
    if (row.text !== null) assert.equal(hex(core.leafHash(unhex(row.salt), UTF8.encode(row.text))), row.leaf);
    assert.equal(logs[row.log].size, 7);
  }
  assert.deepEqual(plain(rows.map((row) => row.because)), [null, "withheld", null, "erased"]);
});

test("no byte of a zip changes what is verified", async () => {
  const sound = bundle(SOUND.file);
  const said = ({ verdict, counts, question, rows, coverage }) => JSON.stringify({ verdict, counts, question, rows, coverage });
  const expected = said(await verifyBundle(sound, [SOUND.key].flat()));
  for (let at = 0; at < sound.length; at += 11) {
    const changed = Uint8Array.from(sound);
    changed[at] ^= 1 << (at % 8);
    try {
      const report = checkWords(await verifyBundle(changed, [SOUND.key].flat()));
      // Some bytes of a zip, as its files' dates, say nothing of the bundle.
      if (report.verdict === "VERIFIED") assert.equal(said(report), expected, `byte ${at}`);
    } catch (error) {
      assert.ok(error instanceof Unreadable, `byte ${at}: ${error.stack}`);
      checkSaid(core.failure(error));
    }
  }
  for (let end = 0; end < sound.length; end += 97) {
    await assert.rejects(verifyBundle(sound.subarray(0, end), KEYS), Unreadable, `cut at ${end}`);
  }
});

test("every changed byte of a log's files is found, though the manifest was made to fit", async () => {
  const files = await unpack(bundle(SOUND.file));
  assert.equal((await verifyBundle(pack(files), KEYS)).verdict, "VERIFIED");
  for (const name of ["checkpoint.txt", "entries.ndjson", "proof.json"].map((file) => `logs/orders/${file}`)) {
    const bytes = files.get(name);
    const stride = Math.ceil(bytes.length / 150);
    for (let at = 0; at < bytes.length; at += stride) {
      const changed = Uint8Array.from(bytes);
      changed[at] ^= 1 << (at % 7);
      const report = checkWords(await verifyBundle(pack(new Map(files).set(name, changed)), KEYS));
      assert.notEqual(report.verdict, "VERIFIED", `${name}, byte ${at}`);
    }
  }
});

test("a zip that others may read otherwise is a finding, and a bomb is not unpacked", async () => {
  const files = await unpack(bundle(SOUND.file));
  const twice = [...files, ["manifest.json", files.get("manifest.json")]];
  const behind = Uint8Array.of(...pack(files), 0);
  const before = Uint8Array.of(...UTF8.encode("MZ"), ...pack(files));
  for (const bytes of [pack(twice, { fit: false }), behind]) {
    const report = checkWords(await verifyBundle(bytes, KEYS));
    assert.deepEqual([report.verdict, report.findings[0].step], ["ALTERED", "manifest"]);
  }
  await verifyBundle(before, KEYS).then(
    (report) => assert.equal(report.verdict, "ALTERED"),
    (error) => assert.ok(error instanceof Unreadable),
  );
  const overlapping = pack(files, { overlap: true });
  assert.equal((await verifyBundle(overlapping, KEYS)).verdict, "ALTERED");
  const lying = pack(files, { size: 2 ** 24 });
  assert.equal((await verifyBundle(lying, KEYS)).verdict, "ALTERED");
  for (const nothing of [new Uint8Array(), UTF8.encode("no zip"), crypto.randomBytes(5000)]) {
    await assert.rejects(verifyBundle(nothing, KEYS), Unreadable);
  }
});

test("what is found has no words of its own, and there are some for all of it in each language", () => {
  const script = parts.join("\n");
  const keys = new Set([...script.matchAll(/"((?:flaw|fact|place)-[a-z0-9-]+)"/g)].map(([, key]) => key));
  assert.ok(keys.size > 150, `only ${keys.size} keys`);
  for (const [lang, known] of Object.entries(MESSAGES)) {
    assert.deepEqual([...keys].filter((key) => !known.has(key)), [], lang);
    const unused = [...known.keys()].filter((key) => /^(flaw|fact|place)-/.test(key) && !keys.has(key));
    assert.deepEqual(unused, [], lang);
  }
  // Whatever is thrown, and whatever a finding is made with, has a key first.
  const made = /(?:new (?:Bad|Unreadable)|said|\.(?:altered|missing|equal|try|inside))\(\s*([^,)]*)/g;
  const first = [...script.matchAll(made)].map(([, argument]) => argument.trim());
  assert.ok(first.length > 200, `only ${first.length} places`);
  const others = first.filter((argument) => !/^"(flaw|fact|place)-[a-z0-9-]+"$/.test(argument));
  const passedOn = new Set(["", "what", "part", "key", "value.key", "this.message", "name", '"base64"']);
  assert.deepEqual(others.filter((argument) => !passedOn.has(argument)), []);
});

test("messages are filled in as the server fills them in", () => {
  const Words = vm.runInThisContext(readFileSync(here("../static/verify/words.js"), "utf8") + "globalThis.EstreatWords");
  const found = [{ by: "n", of: { one: ["1 finding"], other: [{ arg: "n" }, " findings"] }, or: "other" }, " in ", { arg: "where" }];
  const rows = {
    found,
    place: ["*file* `", { arg: "name" }, "`"],
    month: [{ by: "month", of: { 2: ["February"], 12: ["December"] }, or: "12" }],
  };
  const english = new Words("en", rows);
  const german = new Words("de", rows);
  const hostile = "`*a*` { $n } <b>";
  const where = { key: "place", args: { name: hostile } };
  assert.equal(english.text("found", { n: 1, where }), `1 finding in file ${hostile}`);
  assert.equal(english.text("found", { n: 1234567, where: 7 }), "1,234,567 findings in 7");
  assert.equal(german.text("found", { n: 9007199254740991, where: "x" }), "9.007.199.254.740.991 findings in x");
  assert.equal(english.text("month", { month: 2 }), "February");
  assert.equal(english.text("month", { month: 11 }), "December");
  assert.equal(german.decimal("12.5"), "12,5");
  const runs = english.runs("place", { name: hostile });
  assert.deepEqual(plain(runs.at(-1)), { code: true, strong: false, outside: true, name: "name", text: hostile });
  assert.deepEqual([runs[0].strong, runs[0].text], [true, "file"]);
  assert.equal(english.text("nowhere"), "nowhere");
});

test("texts of a bundle cannot turn or hide the words around them", () => {
  assert.equal(core.printable("a\u202eb\u200b\nc\u0000é😀"), "a\\u{202e}b\\u{200b}\\u{a}c\\u{0}é😀");
});

// ── A small zip writer ──────────────────────────────────────────────────────────────────

async function unpack(bytes) {
  const zip = new core.Zip(bytes);
  const files = new Map();
  for (const name of zip.files.keys()) files.set(name, await zip.read(name));
  return files;
}

/** The files, stored, with a manifest that fits them; or flawed in one way. */
function pack(files, { fit = true, overlap = false, size = null } = {}) {
  const list = [...files].map(([name, bytes]) => [name, fit && name === "manifest.json" ? fitting(files) : bytes]);
  const [chunks, directory] = [[], []];
  let at = 0;
  for (const [name, bytes] of list) {
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(core.crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, path, bytes]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(overlap ? 0 : at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, tail, path]));
    chunks.push(local);
    at += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(list.length, 8);
  end.writeUInt16LE(list.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...chunks, central, end]));
}

function fitting(files) {
  const manifest = JSON.parse(Buffer.from(files.get("manifest.json")));
  for (const name of Object.keys(manifest.files)) {
    manifest.files[name] = crypto.createHash("sha256").update(files.get(name)).digest("hex");
  }
  return UTF8.encode(JSON.stringify(manifest));
}
