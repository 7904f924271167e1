"""One subject with 300,000 entries over 40 segments and two logs: nothing is lost on the way to the bundle, and the
server's memory does not grow with it."""
import json, unittest, zipfile

from portal import Browser, Server, check

ENTRIES, SEGMENTS, GROUP = 300_000, 40, 7_500
LOGS = ("orders", "support")
SOME = 100_000
# Far below the bytes of the entries, their proofs and the bundle together.
MEMORY_MIB = 400


def lines(first, count):
    """Events a second apart, so that a range of time is a range of entries."""
    for n in range(first, first + count):
        hour, minute, second = n // 3600, n // 60 % 60, n % 60
        yield json.dumps({"time": f"2026-05-{1 + hour // 24:02}T{hour % 24:02}:{minute:02}:{second:02}Z", "operation": "read",
                          "data_subject": "user_17", "resource": f"order/{n}", "payload": {"number": n, "noise": n * 2654435761 % 2**32}})


class Large(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(roll_postings=str(GROUP))
        for n in range(SEGMENTS):
            body = "\n".join(lines(n * GROUP, GROUP)).encode()
            cls.server.call("POST", f"/api/v1/logs/{LOGS[n % 2]}/entries", body, role="writer")

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def bundle(self, name, **more):
        made = self.server.export(**more)
        return made, self.server.bundle(made, name)

    def verified(self, path):
        keys = self.server.call("GET", "/api/v1/keys")
        arguments = [part for key in keys for part in ("--key", key["vkey"])]
        return self.server.verify(path, *arguments)

    def test_all_of_it(self):
        made, path = self.bundle("all.zip")
        self.assertEqual(made["outcome"]["entries"], ENTRIES)
        with zipfile.ZipFile(path) as whole:
            manifest = json.loads(whole.read("manifest.json"))
            counted = shown = 0
            for name in whole.namelist():
                if name.endswith("entries.ndjson"):
                    with whole.open(name) as file:
                        counted += sum(1 for _ in file)
                if name.endswith("proof.json"):
                    shown += sum(len(batch["entries"]) for batch in json.loads(whole.read(name))["batches"])
            segments = sum(log["segments"] for log in manifest["logs"]) if "segments" in manifest["logs"][0] else SEGMENTS
        self.assertEqual((counted, shown), (ENTRIES, ENTRIES))
        self.assertGreaterEqual(segments, SEGMENTS)
        code, said = self.verified(path)
        self.assertEqual(code, 0, said)
        self.assertIn("300000 entries", said.replace(",", ""))

        half = path.with_name("half.zip")
        half.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        self.assertNotEqual(self.verified(half)[0], 0)
        self.assertLess(self.server.memory_mib(), MEMORY_MIB)

    def test_the_browser_checks_a_hundred_thousand(self):
        made, path = self.bundle("some.zip", to="2026-05-02T03:46:40Z")
        self.assertEqual(made["outcome"]["entries"], SOME)
        browser = Browser()
        self.addCleanup(browser.close)
        page = browser.person(self.server)
        page.goto("/verify")
        page.evaluate("""() => { let last = performance.now(); window.gap = 0; window.began = last;
            setInterval(() => { const now = performance.now(); window.gap = Math.max(window.gap, now - last); last = now; }, 10); }""")
        self.assertIn("100000 entries", check(page, path, self.server.keys()).replace(",", ""))
        seconds = page.evaluate("(performance.now() - window.began) / 1000")
        print(f"\n100,000 entries checked in the browser in {seconds:.1f} s; longest pause {page.evaluate('window.gap'):.0f} ms")


if __name__ == "__main__":
    unittest.main()
