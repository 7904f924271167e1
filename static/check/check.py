import base64, bisect, hashlib, json, sys, zipfile

def H(*parts): return hashlib.sha256(b"".join(parts)).digest()
def leaf(*parts): return H(b"\0", *parts)
def number(data, at, size): return int.from_bytes(data[at:at + size], "big")

def root(size, known, tree):
    """The root over leaves 0 to size-1, of known leaves and the fewest other hashes."""
    nodes = {(level, index): base64.b64decode(text) for level, index, text in tree}
    places = sorted(known)
    def over(lo, hi):
        count, at = hi - lo, bisect.bisect_left(places, lo)
        knows = at < len(places) and places[at] < hi
        if not knows and count & (count - 1) == 0:
            level = count.bit_length() - 1
            return nodes.pop((level, lo >> level))
        if count == 1:
            return known[lo]
        middle = lo + (1 << ((count - 1).bit_length() - 1))
        return H(b"\1", over(lo, middle), over(middle, hi))
    result = over(0, size) if size else H(b"")
    assert not nodes, "a hash too many"
    return result

bundle = zipfile.ZipFile(sys.argv[1])
manifest = json.loads(bundle.read("manifest.json"))
rest = set(bundle.namelist()) - {"manifest.json", "manifest.note"}
assert rest == set(manifest["files"]), "a file too many, or one that lacks"
for name, digest in manifest["files"].items():
    assert H(bundle.read(name)).hex() == digest, name + " is not the one listed"
shown = 0
for log in manifest["logs"]:
    proof = json.loads(bundle.read(f"logs/{log}/proof.json"))
    note = bundle.read(f"logs/{log}/checkpoint.txt").decode()
    lines = bundle.read(f"logs/{log}/entries.ndjson").split(b"\n")
    assert proof["checkpoint"] == note and lines.pop() == b""
    links = {link["number"]: base64.b64decode(link["bytes"]) for link in proof["links"]}
    used = 0
    for batch in proof["batches"]:
        link, leaves = links[batch["link"]], {}
        for entry in batch["entries"]:
            if "line" in entry:
                assert entry["line"] == used, "an entry is out of its order"
                leaves[entry["position"]] = leaf(base64.b64decode(entry["salt"]), lines[used])
                used += 1
            else:
                leaves[entry["position"]] = base64.b64decode(entry["leaf"])
        found = root(number(link, 86, 4), leaves, batch["tree"])
        assert found == link[90:122], f"{log}: an entry of link {batch['link']} was altered"
    assert used == len(lines), log + ": a line too many, or one that lacks"
    size, signed = note.split("\n")[1:3]
    found = root(int(size), {n: leaf(link) for n, link in links.items()}, proof["tree"])
    assert found == base64.b64decode(signed), log + ": a link is not under the checkpoint"
    shown += used
print(f"UNALTERED: {shown} entries lie under the checkpoints of {len(manifest['logs'])} logs")
