#!/usr/bin/env python3
"""The parts of verify_bundle.py against the format's vectors.

They lie beside this file, or where VERIFY_VECTORS says."""
import base64, json, os, struct, unittest
from pathlib import Path

import bundle_format as form
import verify_bundle
from vrf_r255 import BASE, Bad, encode_point, multiply, vrf_output

BESIDE = Path(__file__).resolve().parent / "vectors"
VECTORS = Path(os.environ.get("VERIFY_VECTORS", BESIDE))


def vectors(name):
    path = VECTORS / name
    if not path.exists():
        raise unittest.SkipTest(f"{path} is not here")
    return json.loads(path.read_text())


class Parts(unittest.TestCase):
    def refuses(self, what, read):
        with self.assertRaises(Bad, msg=what):
            read()

    def test_group(self):
        twice = "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919"     # RFC 9496 A.1
        self.assertEqual(encode_point(multiply(2, BASE)).hex(), twice)

    def test_vrf(self):
        data = vectors("subjects.json")
        vector = {name: bytes.fromhex(text) for name, text in data["c2sp_vector"].items()}
        self.assertEqual(vrf_output(vector["public"], vector["alpha"], vector["proof"]), vector["beta"])
        key, log_id = bytes.fromhex(data["index_key"]), bytes.fromhex(data["log_id"])
        for row in data["tags"]:
            beta = vrf_output(key, log_id + row["subject"].encode(), bytes.fromhex(row["proof"]))
            self.assertEqual(beta.hex(), row["beta"])
            for tag in row["tags"]:
                self.assertEqual(form.H(beta, form.u64(tag["segment"]))[:16].hex(), tag["tag"])
        for case in data["refused"]["cases"]:
            key = bytes.fromhex(case.get("index_key", data["index_key"]))
            alpha, proof = log_id + case["subject"].encode(), bytes.fromhex(case["proof"])
            self.refuses(case["what"], lambda: vrf_output(key, alpha, proof))

    def test_trees(self):
        data = vectors("merkle.json")
        def root(size, part):
            known = {at: form.leaf(struct.pack(">I", at)) for at in part["known"]}
            nodes = [(level, index, base64.b64decode(value)) for level, index, value in part["tree"]]
            return form.partial_root(size, known, nodes).hex()
        for case in data["cases"]:
            for part in case["partial"]:
                self.assertEqual(root(case["size"], part), case["root"])
        for case in data["refused"]["cases"]:
            try:
                self.assertNotEqual(root(case["size"], case), data["refused"]["root"], case["what"])
            except Bad:
                pass

    def test_entries(self):
        data = vectors("entries.json")
        for case in data["facts"]["cases"]:
            self.assertEqual(form.read_entry(case["entry"].encode()), (case["time"], set(case["subjects"])))
        for case in data["refused"]["cases"]:
            self.refuses(case["what"], lambda: form.read_entry(case["entry"].encode()))

    def test_links(self):
        data = vectors("links.json")
        for case in data["cases"]:
            link = form.read_link(bytes.fromhex(case["bytes"]))
            self.assertEqual(form.leaf(bytes.fromhex(case["bytes"])).hex(), case["leaf"])
            for name, value in link._asdict().items():
                self.assertEqual(value.hex() if type(value) is bytes else value, case["fields"][name])
        for case in data["refused"]:
            self.refuses(case["what"], lambda: form.read_link(bytes.fromhex(case["bytes"])))

    def test_notes(self):
        data = vectors("checkpoint.json")
        key = form.read_key(data["vkey"])
        def opened(text):
            note = form.read_note(text.encode())
            if form.signer(note, [key]) is None:
                raise Bad("signed by none that is known")
            return form.read_checkpoint(note.text)
        for case in data["cases"]:
            self.assertEqual(opened(case["note"]).origin, data["origin"])
        for case in data["refused"]:
            self.refuses(case["what"], lambda: opened(case["note"]))

    def test_bundles(self):
        vectors("bundles.json")
        self.assertEqual(verify_bundle.self_test(VECTORS), 0)


if __name__ == "__main__":
    unittest.main()
