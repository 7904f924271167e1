// The verifier, part 2 of 3: what lies in a bundle. The zip, JSON held to a form, times, signed
// notes, partial trees, links and entries, each read with suspicion.

// ── Text and times ──────────────────────────────────────────────────────────────────────

const MAX_NUMBER = Number.MAX_SAFE_INTEGER; // the format's numbers stay below 2^53 too

const MAX_TEXT = 2 ** 29 - 64; // what a string of every browser holds
const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A bundle that cannot be looked at: no finding, for it says nothing of the bundle's content. */
class Unreadable extends Flaw {}

function readText(bytes) {
  if (bytes.length > MAX_TEXT) throw new Unreadable("flaw-too-large");
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    throw new Bad("flaw-utf8");
  }
}

const DIGITS_64 = new Int8Array(128).fill(-1);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((digit, value) => {
  DIGITS_64[digit.charCodeAt(0)] = value;
});

/** Standard base64, and only what an encoder would write. */
function readBase64(text, size) {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (text.length % 4) throw new Bad("flaw-base64");
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  for (let at = 0, to = 0; at < text.length; at++) {
    const left = at >= text.length - padding;
    const value = left ? 0 : (DIGITS_64[text.charCodeAt(at)] ?? -1);
    if (value < 0) throw new Bad("flaw-base64");
    bits = (bits << 6) | value;
    if (at % 4 < 3) continue;
    if ((padding === 1 && left && bits & 0xff) || (padding === 2 && left && bits & 0xffff)) {
      throw new Bad("flaw-base64-canonical");
    }
    for (let shift = 16; shift >= 0 && to < bytes.length; shift -= 8) bytes[to++] = bits >> shift;
    bits = 0;
  }
  if (size !== undefined && bytes.length !== size) throw new Bad("flaw-length", { n: bytes.length, size });
  return bytes;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{6})Z$/;
const DAY_MILLIS = 86_400_000;

/** Microseconds since 1970 of a time in its one written form, as a BigInt. */
function readTime(text) {
  const parts = typeof text === "string" ? TIME.exec(text) : null;
  const [year, month, day, hour, minute, second] = parts ? parts.slice(1, 7).map(Number) : [0];
  const date = new Date(0);
  if (parts) date.setUTCFullYear(year, month - 1, day);
  const exists = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 59) {
    throw new Bad("flaw-time");
  }
  const millis = date.getTime() + hour * 3_600_000 + minute * 60_000 + second * 1000;
  return BigInt(millis) * 1000n + BigInt(parts[7]);
}

/** A time in its written form; one that no form has, in microseconds. */
function writeTime(micros) {
  const millis = Number(micros >= 0n ? micros / 1000n : (micros - 999n) / 1000n);
  const date = new Date(millis);
  const year = date.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return `${micros} microseconds`;
  const rest = (((micros % 1000n) + 1000n) % 1000n).toString().padStart(3, "0");
  return date.toISOString().replace("Z", `${rest}Z`);
}

// ── The zip ─────────────────────────────────────────────────────────────────────────────

const MAX_FILES = 30_064; // 3 files of 10,000 logs, and 64
const MAX_UNPACKED = 4 * 2 ** 30; // what a browser can hold and hash in some time
const MAX_MANIFEST = 16 * 2 ** 20;
const MAX_NOTE = 128 * 2 ** 10;
const MAX_PROOF_RATIO = 64; // proof.json is full of hashes, which do not pack
const FREE_PROOF = 64 * 2 ** 10;

const CRC = Int32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

function crc32(bytes) {
  let crc = -1;
  for (let at = 0; at < bytes.length; at++) crc = CRC[(crc ^ bytes[at]) & 255] ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}

/** A zip. What a name leads to must be the same for every reader: names given twice, headers that
 * contradict each other, gaps and overlaps are flaws, whatever they hold. */
class Zip {
  #bytes;
  #view;
  files = new Map();
  flaws = [];
  /** Files overlap: a small zip could unpack to anything, so nothing is unpacked. */
  isBomb = false;

  constructor(bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      this.#readDirectory(this.#findEnd());
    } catch (error) {
      if (error instanceof RangeError) throw new Unreadable("flaw-zip-past-end");
      throw error;
    }
  }

  has(name) {
    return this.files.has(name);
  }

  /** A file's bytes, at most `max`. */
  async read(name, max = MAX_UNPACKED) {
    const file = this.files.get(name);
    if (file.start === undefined) throw new Bad("flaw-zip-no-file");
    if (file.size > max) throw new Bad("flaw-too-many-bytes", { n: max });
    const packed = this.#bytes.subarray(file.start, file.start + file.packed);
    const bytes = file.method === 0 ? packed : await inflate(packed, file.size);
    const fits = bytes.length === file.size && (file.isSound || crc32(bytes) === file.crc);
    if (!fits) throw new Bad("flaw-checksum");
    file.isSound = true; // the checksum is slow, and files are read twice
    return bytes;
  }

  /** proof.json takes more memory than its bytes: a small file must not fill it. */
  readProof(name) {
    return this.read(name, Math.min(MAX_UNPACKED, this.files.get(name).packed * MAX_PROOF_RATIO + FREE_PROOF));
  }

  #u16 = (at) => this.#view.getUint16(at, true);
  #u32 = (at) => this.#view.getUint32(at, true);
  #u64(at) {
    const value = Number(this.#view.getBigUint64(at, true));
    if (value > MAX_NUMBER) throw new Unreadable("flaw-zip-number");
    return value;
  }

  /** Where the directory lies, from the record behind it. */
  #findEnd() {
    const last = this.#bytes.length - 22;
    for (let at = last; at >= Math.max(0, last - 0xffff); at--) {
      if (this.#u32(at) !== 0x06054b50 || at + 22 + this.#u16(at + 20) > this.#bytes.length) continue;
      if (at + 22 + this.#u16(at + 20) < this.#bytes.length) this.flaws.push(said("flaw-zip-behind"));
      let [end, count, size, start] = [at, this.#u16(at + 10), this.#u32(at + 12), this.#u32(at + 16)];
      let disks = this.#u16(at + 4) + this.#u16(at + 6);
      if (at >= 20 && this.#u32(at - 20) === 0x07064b50) {
        end = this.#u64(at - 12);
        if (this.#u32(end) !== 0x06064b50) throw new Unreadable("flaw-zip64");
        [count, size, start] = [this.#u64(end + 32), this.#u64(end + 40), this.#u64(end + 48)];
        disks = this.#u32(end + 16) + this.#u32(end + 20);
      }
      if (disks !== 0) throw new Unreadable("flaw-zip-parts");
      return { end, count, size, start };
    }
    throw new Unreadable("flaw-no-zip");
  }

  #readDirectory({ end, count, size, start }) {
    if (count > MAX_FILES) throw new Unreadable("flaw-zip-files", { n: MAX_FILES });
    if (start + size !== end) this.flaws.push(said("flaw-zip-directory-end"));
    const ranges = [];
    let unpacked = 0;
    let at = start;
    for (let n = 0; n < count; n++) {
      if (this.#u32(at) !== 0x02014b50) throw new Unreadable("flaw-zip-damaged");
      const file = this.#readHeader(at, 46, { sizes: 20, names: 28, extra: 30, at: 42 });
      at += 46 + file.nameLength + file.extraLength + this.#u16(at + 32);
      if (file.flags & 1) this.flaws.push(said("flaw-zip-encrypted"));
      const range = this.#locate(file);
      if (range) ranges.push(range);
      unpacked += file.size;
      if (file.name.endsWith("/") && file.size === 0) continue;
      if (this.files.has(file.name)) this.flaws.push(said("flaw-zip-name-twice", { name: file.name }));
      this.files.set(file.name, file);
    }
    if (at !== start + size) this.flaws.push(said("flaw-zip-directory-length"));
    if (unpacked > MAX_UNPACKED) throw new Unreadable("flaw-too-large");
    this.#checkRanges(ranges, start);
  }

  /** What the directory and the header before a file have in common. */
  #readHeader(at, length, places) {
    const [nameLength, extraLength] = [this.#u16(at + places.names), this.#u16(at + places.extra)];
    const flagsAt = at + (length === 46 ? 8 : 6);
    const file = {
      flags: this.#u16(flagsAt),
      method: this.#u16(flagsAt + 2),
      crc: this.#u32(flagsAt + 8),
      packed: this.#u32(at + places.sizes),
      size: this.#u32(at + places.sizes + 4),
      header: places.at ? this.#u32(at + places.at) : 0,
      nameLength,
      extraLength,
      isLarge: false,
      name: new TextDecoder().decode(this.#bytes.subarray(at + length, at + length + nameLength)),
    };
    const extraEnd = at + length + nameLength + extraLength;
    for (let extra = at + length + nameLength; extra + 4 <= extraEnd; extra += 4 + this.#u16(extra + 2)) {
      if (this.#u16(extra) !== 1) continue;
      file.isLarge = true;
      let value = extra + 4;
      for (const name of ["size", "packed", "header"]) {
        if (file[name] !== 0xffffffff) continue;
        file[name] = this.#u64(value);
        value += 8;
      }
    }
    return file;
  }

  /** Finds a file's bytes, and compares the header before them with the directory. */
  #locate(file) {
    const at = file.header;
    if (at + 30 > this.#bytes.length || this.#u32(at) !== 0x04034b50) {
      this.flaws.push(said("flaw-zip-file-elsewhere", { name: file.name }));
      return null;
    }
    const local = this.#readHeader(at, 30, { sizes: 18, names: 26, extra: 28 });
    file.start = at + 30 + local.nameLength + local.extraLength;
    let end = file.start + file.packed;
    const described = (local.flags & 8) !== 0;
    if (described) end += this.#descriptor(end, file, local.isLarge || file.isLarge);
    const same = described || ["crc", "packed", "size"].every((name) => file[name] === local[name]);
    if (!same || file.name !== local.name || file.flags !== local.flags || file.method !== local.method) {
      this.flaws.push(said("flaw-zip-header", { name: file.name }));
    }
    return { from: at, end, dataEnd: file.start + file.packed };
  }

  /** Length of the lengths that stand behind a file whose header came before they were known. */
  #descriptor(at, file, isLarge) {
    for (const wide of isLarge ? [true, false] : [false, true]) {
      for (const signature of [4, 0]) {
        const length = signature + (wide ? 20 : 12);
        if (at + length > this.#bytes.length || (signature && this.#u32(at) !== 0x08074b50)) continue;
        const sizes = at + signature + 4;
        const packed = wide ? Number(this.#view.getBigUint64(sizes, true)) : this.#u32(sizes);
        const size = wide ? Number(this.#view.getBigUint64(sizes + 8, true)) : this.#u32(sizes + 4);
        const fits = this.#u32(at + signature) === file.crc && packed === file.packed && size === file.size;
        if (fits) return length;
      }
    }
    this.flaws.push(said("flaw-zip-lengths", { name: file.name }));
    return 0;
  }

  #checkRanges(ranges, directory) {
    let next = 0;
    for (const range of ranges.sort((a, b) => a.from - b.from)) {
      if (range.from < next || range.dataEnd > directory) this.isBomb = true;
      if (range.from > next) this.flaws.push(said("flaw-zip-gap"));
      next = range.end;
    }
    if (next !== directory) this.flaws.push(said("flaw-zip-gap-directory"));
    if (this.isBomb) this.flaws.push(said("flaw-zip-overlap"));
  }
}

/** Unpacks, and stops at the length that the zip names. */
async function inflate(packed, size) {
  if (size > 1032 * packed.length + 64) throw new Bad("flaw-deflate");
  const bytes = new Uint8Array(size);
  let at = 0;
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return bytes.subarray(0, at);
      if (at + value.length > size) throw new Bad("flaw-zip-size");
      bytes.set(value, at);
      at += value.length;
    }
  } catch (error) {
    throw error instanceof Bad ? error : new Bad("flaw-unpack", { detail: error.message });
  }
}

// ── JSON ────────────────────────────────────────────────────────────────────────────────

const LONE_SURROGATE = /\p{Surrogate}/u;
const NUMBER_TEXT = /[-+0-9.eE]+/y;

/** Walks over JSON whose grammar was checked, for what JSON.parse does not see: names given twice
 * (`deep`: in every object; else in the outermost) and, if asked, other numbers than whole ones
 * below 2^53 written as digits, and white space. */
function inspectJson(text, { deep = false, wholeNumbers = false, compact = false }) {
  const around = []; // a set of names for each object, null for each array
  let nameFollows = false;
  for (let at = 0; at < text.length; at++) {
    const from = at;
    switch (text[at]) {
      case '"': {
        let escaped = false;
        for (at++; text[at] !== '"'; at++) {
          if (text[at] === "\\") {
            escaped = true;
            at++;
          }
        }
        const isName = nameFollows && (deep || around.length === 1);
        nameFollows = false;
        if (!isName && !(deep && escaped)) break;
        const value = escaped ? JSON.parse(text.slice(from, at + 1)) : text.slice(from + 1, at);
        if (escaped && LONE_SURROGATE.test(value)) throw new Bad("flaw-surrogate");
        if (!isName) break;
        if (around.at(-1).has(value)) throw new Bad("flaw-name-twice", { name: value });
        around.at(-1).add(value);
        break;
      }
      case "{":
        around.push(new Set());
        nameFollows = true;
        break;
      case "[":
        around.push(null);
        break;
      case "}":
      case "]":
        around.pop();
        nameFollows = false;
        break;
      case ",":
        nameFollows = around.at(-1) !== null;
        break;
      case " ":
      case "\n":
      case "\r":
      case "\t":
        if (compact) throw new Bad("flaw-white-space");
        break;
      case "-":
      case "0":
      case "1":
      case "2":
      case "3":
      case "4":
      case "5":
      case "6":
      case "7":
      case "8":
      case "9": {
        NUMBER_TEXT.lastIndex = at;
        const [number] = NUMBER_TEXT.exec(text);
        at += number.length - 1;
        if (wholeNumbers && !(/^\d{1,16}$/.test(number) && Number(number) <= MAX_NUMBER)) {
          throw new Bad("flaw-whole-number", { number: number.slice(0, 40) });
        }
      }
    }
  }
}

function readJson(bytes, rules) {
  const text = readText(bytes);
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Bad("flaw-json", { detail: error.message });
  }
  inspectJson(text, rules);
  return value;
}

// A form is a function: it takes a value and gives it back decoded.

function inside(name, read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Bad) error.path.unshift(name);
    throw error;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const aString = (value) => {
  if (typeof value !== "string") throw new Bad("flaw-not-string");
  return value;
};
const aNumber = (value) => {
  if (typeof value !== "number") throw new Bad("flaw-not-number");
  return value;
};
const base64Of = (size) => (value) => readBase64(aString(value), size);
const orNull = (form) => (value) => (value === null ? null : form(value));
const oneOf = (...words) => (value) => {
  if (!words.includes(value)) throw new Bad("flaw-not-one-of", { words: words.join(", ") });
  return value;
};
const listOf = (form) => (value) => {
  if (!Array.isArray(value)) throw new Bad("flaw-not-list");
  return value.map((item, at) => inside(at, () => form(item)));
};
const mapOf = (form) => (value) => {
  if (!isObject(value)) throw new Bad("flaw-not-object");
  return new Map(Object.entries(value).map(([name, item]) => [name, inside(name, () => form(item))]));
};

/** An object with these names; those that end in "?" may be absent. */
function record(forms, { more = false } = {}) {
  const names = Object.keys(forms).map((key) => [key.replace("?", ""), key.endsWith("?"), forms[key]]);
  const known = new Set(names.map(([name]) => name));
  return (value) => {
    if (!isObject(value)) throw new Bad("flaw-not-object");
    const unknown = more ? undefined : Object.keys(value).find((name) => !known.has(name));
    if (unknown !== undefined) throw new Bad("flaw-extra-name", { name: unknown });
    const read = {};
    for (const [name, optional, form] of names) {
      if (Object.hasOwn(value, name)) read[name] = inside(name, () => form(value[name]));
      else if (!optional) throw new Bad("flaw-lacks-name", { name });
    }
    return read;
  };
}
const withName = (name, form, other) => (value) =>
  isObject(value) && Object.hasOwn(value, name) ? form(value) : other(value);

const aHexDigest = (value) => {
  if (!/^[0-9a-f]{64}$/.test(aString(value))) throw new Bad("flaw-hex");
  return value;
};
const ofRange = { from: orNull(aString), to: orNull(aString) };
const readManifest = record(
  {
    format: oneOf("estreat-bundle/1"),
    subject: aString,
    ...ofRange,
    logs: listOf(aString),
    purpose: aString,
    requested_by: aString,
    created_at: aString,
    files: mapOf(aHexDigest),
    "keys?": listOf(aString),
  },
  { more: true },
);

const aTreeNode = (value) => {
  if (!Array.isArray(value) || value.length !== 3) throw new Bad("flaw-tree-node");
  return [aNumber(value[0]), aNumber(value[1]), base64Of(32)(value[2])];
};
const aTree = listOf(aTreeNode);
const anEntryProof = withName(
  "because",
  record({ position: aNumber, leaf: base64Of(32), because: oneOf("withheld", "erased") }),
  record({ line: aNumber, position: aNumber, salt: base64Of(16) }),
);
const aNeighbour = orNull(record({ position: aNumber, tag: base64Of(16), digest: base64Of(32) }));
const readProof = record({
  format: oneOf("estreat-proof/1"),
  origin: aString,
  subject: aString,
  ...ofRange,
  checkpoint: aString,
  tag_proof: orNull(base64Of(80)),
  links: listOf(record({ number: aNumber, bytes: base64Of() })),
  tree: aTree,
  batches: listOf(record({ link: aNumber, entries: listOf(anEntryProof), tree: aTree })),
  segments: listOf(
    withName(
      "present",
      record({
        close_link: aNumber,
        present: record({ position: aNumber, salt: base64Of(16), list: base64Of() }),
        tree: aTree,
      }),
      record({ close_link: aNumber, absent: record({ left: aNeighbour, right: aNeighbour }), tree: aTree }),
    ),
  ),
});

// ── Signed notes (C2SP signed-note) and checkpoints (C2SP tlog-checkpoint) ──────────────

const KEY_NAME = /^[^\s\p{Cc}+]+$/u;
const LOG_NAME = /^[a-z0-9_][a-z0-9._-]{0,62}$/;

/** A verifier key: name, "+", 8 hexadecimal digits, "+", base64 of algorithm and key. */
function readKey(text) {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  if (name === undefined || !KEY_NAME.test(name)) throw new Bad("flaw-key-form");
  const bytes = inside("base64", () => readBase64(encoded, 33));
  if (bytes[0] !== 1 || !decodeEdwards(bytes.subarray(1))) throw new Bad("flaw-key-kind");
  const hash = H(UTF8.encode(`${name}\n`), bytes);
  if (hex(hash.subarray(0, 4)) !== id) throw new Bad("flaw-key-hash");
  const fingerprint = hex(H(bytes.subarray(1))).match(/.{4}/g).join(" ");
  return { name, id, bytes: bytes.subarray(1), text, fingerprint };
}

function readNote(bytes) {
  const text = readText(bytes);
  const end = text.lastIndexOf("\n\n");
  const lines = text.slice(end + 2).split("\n");
  if (/[\0-\x09\x0b-\x1f]/.test(text) || end < 0 || lines.pop() !== "" || lines.length === 0) {
    throw new Bad("flaw-note-form");
  }
  if (lines.length > 64) throw new Bad("flaw-note-signatures", { n: 64 });
  const signatures = lines.map((line) => {
    const [, name, encoded] = /^— ([^ ]+) (.+)$/.exec(line) ?? [];
    if (name === undefined || !KEY_NAME.test(name)) throw new Bad("flaw-note-line");
    const data = readBase64(encoded);
    if (data.length < 5) throw new Bad("flaw-note-empty");
    return { name, id: hex(data.subarray(0, 4)), signature: data.subarray(4) };
  });
  return { text: text.slice(0, end + 1), signatures };
}

/** The key, one of `keys`, by which a note is signed; "unknown" if none has a name that signs it,
 * "bad" if one has and its signature lacks or does not hold. */
async function signerOf(note, keys) {
  let signer = "unknown";
  for (const key of keys) {
    const named = note.signatures.filter((line) => line.name === key.name);
    const own = named.filter((line) => line.id === key.id);
    for (const line of own) {
      if (!(await signed(key.bytes, UTF8.encode(note.text), line.signature))) return "bad";
    }
    if (own.length > 0) signer = typeof signer === "string" ? key : signer;
    else if (named.length > 0 && signer === "unknown") signer = "bad";
  }
  return signer;
}

function readCheckpoint(text) {
  const [origin, size, root, end, ...more] = text.split("\n");
  const [, server, log] = /^(.*)\/([^/]*)$/s.exec(origin) ?? [];
  const named = server !== undefined && KEY_NAME.test(server) && !server.endsWith("/") && LOG_NAME.test(log);
  if (!named || end !== "" || more.length || !/^(0|[1-9]\d{0,15})$/.test(size) || Number(size) > MAX_NUMBER) {
    throw new Bad("flaw-checkpoint-form");
  }
  return { origin, folder: log, size: Number(size), root: readBase64(root, 32) };
}

// ── Partial trees ───────────────────────────────────────────────────────────────────────

/** The root of `size` leaves, of which some are known ([position, leaf], ascending), with the
 * nodes given. No node is taken where a known leaf lies beneath it, and none may be left over. */
function partialRoot(size, known, tree) {
  const nodes = new Map();
  const name = (level, index) => `${level}, ${index}`;
  for (const [level, index, hash] of tree) {
    if (nodes.has(name(level, index))) throw new Bad("flaw-node-twice", { node: name(level, index) });
    nodes.set(name(level, index), hash);
  }
  known.forEach(([position], at) => {
    if (at > 0 && position <= known[at - 1][0]) throw new Bad("flaw-leaf-order", { n: position });
    if (position >= size) throw new Bad("flaw-leaf-past", { n: position });
  });
  // Known leaves from..end−1 lie among leaves lo..hi−1.
  const root = (lo, hi, from, end) => {
    const width = hi - lo;
    let level = 0;
    while (2 ** level < width) level++;
    if (from === end && width === 2 ** level) {
      const node = nodes.get(name(level, lo / width));
      if (!node) throw new Bad("flaw-node-gone", { node: name(level, lo / width) });
      nodes.delete(name(level, lo / width));
      return node;
    }
    if (width === 1) return known[from][1];
    const middle = lo + 2 ** (level - 1);
    let split = from;
    for (let above = end; split < above; ) {
      const at = (split + above) >> 1;
      if (known[at][0] < middle) split = at + 1;
      else above = at;
    }
    return nodeHash(root(lo, middle, from, split), root(middle, hi, split, end));
  };
  const result = size > 0 ? root(0, size, 0, known.length) : H();
  if (nodes.size > 0) throw new Bad("flaw-node-useless", { node: nodes.keys().next().value });
  return result;
}

// ── Links and entries ───────────────────────────────────────────────────────────────────

const BATCH = 1;
const CLOSE = 2;
const LINK_BYTES = { [BATCH]: 174, [CLOSE]: 254 };

function readLink(bytes) {
  const [version, kind] = bytes;
  const length = LINK_BYTES[kind] ?? bytes.length;
  if (bytes.length < 78 || bytes.length !== length) throw new Bad("flaw-link-length");
  if (version !== 1 || kind < 1 || kind > 4) throw new Bad("flaw-link-version");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const u64 = (at, name) => {
    const value = view.getBigUint64(at);
    if (value > MAX_NUMBER) throw new Bad("flaw-past", { name });
    return Number(value);
  };
  const link = {
    kind,
    log_id: bytes.subarray(2, 18),
    number: u64(18, "number"),
    segment: u64(26, "segment"),
    previous: bytes.subarray(34, 66),
    committed_at: view.getBigInt64(66),
    sync_position: view.getUint32(74),
  };
  if (link.sync_position > link.number) throw new Bad("flaw-sync-position");
  if (kind === BATCH) {
    Object.assign(link, {
      first_entry: u64(78, "first_entry"),
      entry_count: view.getUint32(86),
      entries_root: bytes.subarray(90, 122),
      earliest: view.getBigInt64(122),
      latest: view.getBigInt64(130),
      payload_length: view.getUint32(138),
      payload_digest: bytes.subarray(142, 174),
    });
    if (link.entry_count < 1 || link.entry_count > 65_536) throw new Bad("flaw-entry-count", { most: 65_536 });
  } else if (kind === CLOSE) {
    Object.assign(link, {
      first_link: u64(78, "first_link"),
      first_entry: u64(86, "first_entry"),
      entry_count: u64(94, "entry_count"),
      earliest: view.getBigInt64(102),
      latest: view.getBigInt64(110),
      subject_count: view.getUint32(118),
      subjects_root: bytes.subarray(122, 154),
      index_key: bytes.subarray(154, 186),
      payload_length: view.getUint32(186),
      payload_digest: bytes.subarray(190, 222),
      header_digest: bytes.subarray(222, 254),
    });
    const blank = link.earliest === 0n && link.latest === 0n && link.subject_count === 0;
    if (link.entry_count === 0 && !blank) throw new Bad("flaw-close-blank");
  }
  if (kind in LINK_BYTES) {
    link.entries_end = link.first_entry + link.entry_count;
    if (link.entries_end > MAX_NUMBER) throw new Bad("flaw-past", { name: "first_entry" });
    if (link.earliest > link.latest) throw new Bad("flaw-earliest");
  }
  return link;
}

/** Event time, data subjects and all else that an entry's exact bytes say. */
function readEntry(bytes) {
  const entry = readJson(bytes, { compact: true });
  if (!isObject(entry)) throw new Bad("flaw-not-object");
  const has = (name) => Object.hasOwn(entry, name);
  const subjects = has("data_subjects") ? listOf(aString)(entry.data_subjects) : [];
  if (has("data_subject")) subjects.push(aString(entry.data_subject));
  if (subjects.some((subject) => LONE_SURROGATE.test(subject))) throw new Bad("flaw-surrogate");
  return { time: readTime(has("time") ? entry.time : null), subjects: new Set(subjects), entry };
}

/** Pairs [entry index, event time] of a list of the subject index. */
function readList(bytes) {
  if (bytes.length === 0 || bytes.length % 16) throw new Bad("flaw-list-form");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const pairs = [];
  for (let at = 0, before = -1n; at < bytes.length; at += 16) {
    const index = view.getBigUint64(at);
    if (index <= before || index > MAX_NUMBER) throw new Bad("flaw-list-order");
    before = index;
    pairs.push([Number(index), view.getBigInt64(at + 8)]);
  }
  return pairs;
}
