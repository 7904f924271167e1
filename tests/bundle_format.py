"""The bytes of the Estreat format, as far as a bundle has them: hashes and partial trees, signed
notes, JSON held to a form, links, entries. Written from the format's page alone.
"""
import base64, binascii, bisect, hashlib, json, re, struct
from collections import namedtuple
from datetime import datetime, timedelta

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from vrf_r255 import Bad


# ── Bytes, hashes, times ─────────────────────────────────────────────────────────────────

def H(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def leaf(*parts):
    return H(b"\0", *parts)

def node(left, right):
    return H(b"\1", left, right)

def unbase64(text, size=None):
    """Standard base64, and only what an encoder would write."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Bad("not base64") from None
    if base64.b64encode(data).decode() != text:
        raise Bad("not the canonical base64")
    if size is not None and len(data) != size:
        raise Bad(f"{len(data)} bytes, not {size}")
    return data

def u64(number):
    return struct.pack(">Q", number)

EPOCH = datetime(1970, 1, 1)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)

def micros(text):
    """Microseconds since 1970 of a time in its one written form."""
    try:
        if not TIME.fullmatch(text):
            raise ValueError
        return (datetime.fromisoformat(text[:-1]) - EPOCH) // timedelta(microseconds=1)
    except (ValueError, TypeError):
        raise Bad("not a time of the form YYYY-MM-DDThh:mm:ss.ffffffZ") from None

def written(time):
    try:
        return (EPOCH + timedelta(microseconds=time)).isoformat(timespec="microseconds") + "Z"
    except OverflowError:
        return f"{time} µs"

def shown(text):
    """Text from a bundle, made harmless for a terminal."""
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)

def partial_root(size, known, tree):
    """The root of `size` leaves, of which some are known by position, with the nodes given.

    No node is ever taken where a known leaf lies beneath it, and none may be left over."""
    nodes, positions = {}, sorted(known)
    for level, index, value in tree:
        if (level, index) in nodes:
            raise Bad(f"the tree's node [{level}, {index}] stands twice")
        nodes[level, index] = value
    if positions and positions[-1] >= size:
        raise Bad(f"position {positions[-1]} of {size}")
    def root(lo, hi):
        width = hi - lo
        if bisect.bisect_left(positions, lo) == bisect.bisect_left(positions, hi):
            if width & (width - 1) == 0:
                at = (width.bit_length() - 1, lo // width)
                if at not in nodes:
                    raise Bad(f"the tree's node {list(at)} is needed and not there")
                return nodes.pop(at)
        elif width == 1:
            return known[lo]
        middle = lo + (1 << (width - 1).bit_length() - 1)
        return node(root(lo, middle), root(middle, hi))
    result = root(0, size) if size else H()
    if nodes:
        raise Bad(f"the tree's node {list(next(iter(nodes)))} is not needed")
    return result


# ── Signed notes (C2SP signed-note) and checkpoints (C2SP tlog-checkpoint) ────────────────

Key = namedtuple("Key", "name id public")
Note = namedtuple("Note", "text signatures")       # signatures: (name, key id, 64 bytes or more)
Checkpoint = namedtuple("Checkpoint", "origin size root")

def read_key(text):
    """A verifier key: name, "+", key id in hex, "+", base64 of the algorithm and the key."""
    name, _, rest = text.partition("+")
    key_id, _, data = rest.partition("+")
    data = unbase64(data, 33)
    if data[:1] != b"\1" or not name or H(name.encode(), b"\n", data)[:4].hex() != key_id:
        raise Bad("not a verifier key of Ed25519")
    return Key(name, bytes.fromhex(key_id), data[1:])

def read_note(data):
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Bad("not UTF-8") from None
    body, blank, lines = text.rpartition("\n\n")
    if not blank or not lines.endswith("\n") or re.search(r"[\0-\x09\x0b-\x1f]", text):
        raise Bad("not a signed note")
    signatures = []
    for line in lines[:-1].split("\n"):
        parts = line.split(" ")
        if len(parts) != 3 or parts[0] != "—" or not parts[1] or "+" in parts[1]:
            raise Bad("not a signed note")
        data = unbase64(parts[2])
        if len(data) < 5:
            raise Bad("not a signed note")
        signatures.append((parts[1], data[:4], data[4:]))
    return Note(body + "\n", signatures)

def signer(note, keys):
    """The key, one of `keys`, by which the note is signed. None if none of them has a name that
    signs it; a signature that should hold and does not is a flaw."""
    named = [key for key in keys if key.name in {name for name, _, _ in note.signatures}]
    holds = None
    for name, key_id, signature in note.signatures:
        for key in named:
            if (key.name, key.id) == (name, key_id):
                try:
                    Ed25519PublicKey.from_public_bytes(key.public).verify(signature, note.text.encode())
                except InvalidSignature:
                    raise Bad(f"the signature of {shown(name)} does not hold") from None
                holds = holds or key
    if named and not holds:
        raise Bad(f"it is signed in the name of {shown(named[0].name)}, but by another key")
    return holds

def read_checkpoint(text):
    lines = text.split("\n")
    if len(lines) != 4 or not lines[0] or not re.fullmatch(r"0|[1-9][0-9]{0,15}", lines[1]):
        raise Bad("not a checkpoint: origin, size and root, each a line")
    if int(lines[1]) >= 2**53:
        raise Bad("a size of 2^53 or more")
    return Checkpoint(lines[0], int(lines[1]), unbase64(lines[2], 32))


# ── JSON, held to a form ──────────────────────────────────────────────────────────────────

def read_json(data, numbers):
    """JSON in which no object has a name twice and every string is Unicode."""
    def once(pairs):
        if len(dict(pairs)) != len(pairs):
            raise Bad("a name stands twice in an object")
        return dict(pairs)
    def no_number(text):
        raise Bad(f"{shown(text[:40])} is no number of this form")
    def digits(text):
        return int(text) if re.fullmatch(r"0|[1-9]\d{0,15}", text) and int(text) < 2**53 else no_number(text)
    whole = {"parse_float": no_number, "parse_int": digits} if numbers == "whole" else {}
    try:
        value = json.loads(data.decode(), object_pairs_hook=once, parse_constant=no_number, **whole)
        json.dumps(value, ensure_ascii=False).encode()      # fails on half a surrogate pair
        return value
    except (ValueError, RecursionError) as error:
        raise Bad(f"not JSON: {shown(str(error))[:200]}") from None

# A form is a function: it takes a value and its name, and gives it back decoded.

def one_of(kind):
    def check(value, at):
        if type(value) is not kind:
            raise Bad(f"{at} is not of type {kind.__name__}")
        return value
    return check

TEXT, NUMBER = one_of(str), one_of(int)

def b64(size=None):
    def check(value, at):
        try:
            return unbase64(TEXT(value, at), size)
        except Bad as flaw:
            raise Bad(f"{at}: {flaw}") from None
    return check

def or_null(form):
    return lambda value, at: None if value is None else form(value, at)

def exactly(word):
    def check(value, at):
        if value != word or type(value) is not str:
            raise Bad(f"{at} is not {word}")
        return value
    return check

def when(value, at):
    micros(TEXT(value, at))
    return value

def list_of(form):
    return lambda value, at: [form(x, f"{at}[{i}]") for i, x in enumerate(one_of(list)(value, at))]

def record(more=False, **forms):
    def check(value, at):
        if one_of(dict)(value, at).keys() - forms.keys() and not more:
            raise Bad(f"{at} has a name that it must not have")
        if forms.keys() - value.keys():
            raise Bad(f"{at} lacks {sorted(forms.keys() - value.keys())[0]}")
        return {name: form(value[name], f"{at}.{name}") for name, form in forms.items()}
    return check

def either(name, form, other):
    """`form` if the object has `name`, else `other`."""
    return lambda value, at: (form if name in one_of(dict)(value, at) else other)(value, at)

def tree_node(value, at):
    if len(one_of(list)(value, at)) != 3:
        raise Bad(f"{at} is not [level, index, hash]")
    return NUMBER(value[0], at), NUMBER(value[1], at), b64(32)(value[2], at)

def because(value, at):
    if value not in ("withheld", "erased"):
        raise Bad(f"{at} is neither withheld nor erased")
    return value

RANGE = {"subject": TEXT, "from": or_null(when), "to": or_null(when)}
MANIFEST = record(more=True, format=exactly("estreat-bundle/1"), logs=list_of(TEXT), purpose=TEXT,
                  requested_by=TEXT, created_at=when, files=one_of(dict), **RANGE)
TREE = list_of(tree_node)
ENTRY = either("because", record(position=NUMBER, leaf=b64(32), because=because),
               record(line=NUMBER, position=NUMBER, salt=b64(16)))
NEIGHBOUR = or_null(record(position=NUMBER, tag=b64(16), digest=b64(32)))
SEGMENT = either("present",
    record(close_link=NUMBER, present=record(position=NUMBER, salt=b64(16), list=b64()), tree=TREE),
    record(close_link=NUMBER, absent=record(left=NEIGHBOUR, right=NEIGHBOUR), tree=TREE))
PROOF = record(format=exactly("estreat-proof/1"), origin=TEXT, checkpoint=TEXT, tag_proof=or_null(b64(80)),
               links=list_of(record(number=NUMBER, bytes=b64())), tree=TREE,
               batches=list_of(record(link=NUMBER, entries=list_of(ENTRY), tree=TREE)),
               segments=list_of(SEGMENT), **RANGE)


# ── Links and entries ─────────────────────────────────────────────────────────────────────

COMMON = "version kind log_id number segment previous committed_at sync_position "
BATCH, CLOSE = 1, 2
LAYOUTS = {
    BATCH: (">BB16sQQ32sqI QI32sqqI32s", namedtuple("Batch", COMMON +
            "first_entry entry_count entries_root earliest latest payload_length payload_digest")),
    CLOSE: (">BB16sQQ32sqI QQQqqI32s32sI32s32s", namedtuple("Close", COMMON +
            "first_link first_entry entry_count earliest latest subject_count subjects_root "
            "index_key payload_length payload_digest header_digest")),
}
OTHER = (">BB16sQQ32sqI", namedtuple("Other", COMMON))   # kinds 3 and 4: their body is left alone

def read_link(data):
    if len(data) < 78 or data[0] != 1 or data[1] not in (1, 2, 3, 4):
        raise Bad("not a link of version 1")
    layout, form = LAYOUTS.get(data[1], OTHER)
    if data[1] in LAYOUTS and len(data) != struct.calcsize(layout):
        raise Bad(f"{len(data)} bytes, not {struct.calcsize(layout)}")
    link = form(*struct.unpack_from(layout, data))
    if link.kind == BATCH and not 1 <= link.entry_count <= 65_536:
        raise Bad("a batch of no entry or too many")
    if link.kind in LAYOUTS and link.earliest > link.latest:
        raise Bad("its earliest time is after its latest")
    end = max(link.number + 1, link.first_entry + link.entry_count if link.kind in LAYOUTS else 0)
    if end > 2**53:
        raise Bad("a number past 2^53")
    if link.sync_position > link.number:
        raise Bad("its sync would begin before the log")
    return link

STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)

def read_entry(data):
    """(event time, data subjects) of an entry's exact bytes."""
    class Pairs(list):
        """An object as its pairs: inside, names may repeat; the outermost is looked at."""
    try:
        entry = json.loads(data.decode(), object_pairs_hook=Pairs, parse_int=len, parse_float=len,
                           parse_constant=lambda word: {}["not JSON"])
    except (ValueError, KeyError, RecursionError):
        raise Bad("not JSON") from None
    if type(entry) is not Pairs or len(dict(entry)) != len(entry):
        raise Bad("not an object with each name once")
    if re.search(rb"[ \t\r\n]", STRINGS.sub(b"", data)):
        raise Bad("not compact")
    entry = dict(entry)
    try:
        many = list_of(TEXT)(entry.get("data_subjects", []), "data_subjects")
        subjects = set(many + [TEXT(entry[name], name) for name in ("data_subject",) if name in entry])
        "".join([*entry, *subjects]).encode()
    except UnicodeEncodeError:
        raise Bad("half a surrogate pair is no string") from None
    return micros(entry.get("time")), subjects
