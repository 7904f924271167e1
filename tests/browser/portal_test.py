"""The portal as a data protection officer and a regulator meet it, in a real browser."""
import tempfile, unittest, zipfile
from pathlib import Path

from portal import Browser, Server, check, tampered, words


class Portal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server, cls.browser = Server(), Browser()
        cls.server.sample()
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.stop()
        cls.folder.cleanup()

    def check(self, page, bundle):
        """Has the page check a bundle with the log's keys; the verdict."""
        return check(page, bundle, self.server.keys())

    def saved(self, page, press, name):
        with page.expect_download() as download:
            press()
        path = Path(self.folder.name) / name
        download.value.save_as(path)
        return path

    def test_from_sign_in_to_a_verified_bundle(self):
        page = self.browser.signed_in(self.server)
        page.goto("/exports/new")
        page.fill("#subject", "user_17")
        page.fill("#purpose", "request for access")
        page.locator("main form[action='/exports'] button.main").click()
        page.wait_for_url("**/exports/*")
        page.locator(".verdict").first.wait_for()
        self.assertIn("30 entries name exactly user_17", words(page.locator(".verdict").first.inner_text()))
        bundle = self.saved(page, lambda: page.click("a[href$='/bundle.zip']"), "bundle.zip")
        for text in (page.url, page.title(), bundle.name):
            self.assertNotIn("user_17", text)
        self.assertEqual(page.faults, [])

        page.goto("/verify")
        self.assertIn("30 entries name exactly user_17", self.check(page, bundle))
        # From an entry to its hash, batch, link and checkpoint.
        page.locator("#entries .proof-button").first.click()
        shown = page.locator("#entries").inner_text().lower()
        for word in ("hash", "batch", "link", "checkpoint"):
            self.assertIn(word, shown)
        self.assertEqual(page.faults, [])

    def test_a_tampered_bundle_is_told_where(self):
        made = self.server.export()
        page = self.browser.signed_in(self.server)
        page.goto(f"/exports/{made['id']}")
        bundle = self.saved(page, lambda: page.click("a[href$='/bundle.zip']"), "whole.zip")
        page.goto("/verify")
        self.assertIn("ALTERED", self.check(page, tampered(bundle)))
        findings = words(page.locator("#findings").inner_text())
        self.assertIn("entries.ndjson", findings)
        self.assertRegex(findings, r"(?i)expected .*found")

        half = Path(self.folder.name) / "half.zip"
        half.write_bytes(bundle.read_bytes()[: bundle.stat().st_size // 2])
        page.goto("/verify")
        self.assertNotIn("VERIFIED", self.check(page, half))

    def test_the_page_in_the_bundle_works_from_a_disk(self):
        made = self.server.export()
        page = self.browser.signed_in(self.server)
        page.goto(f"/exports/{made['id']}")
        bundle = self.saved(page, lambda: page.click("a[href$='/bundle.zip']"), "alone.zip")
        with zipfile.ZipFile(bundle) as whole:
            alone = Path(self.folder.name) / "verify.html"
            alone.write_bytes(whole.read("verify.html"))
        asked = []
        reader = self.browser.person(self.server, offline=True)
        reader.on("request", lambda request: asked.append(request.url))
        reader.goto(alone.as_uri())
        self.assertIn("30 entries", self.check(reader, bundle))
        self.assertEqual([url for url in asked if not url.startswith(("file:", "blob:", "data:"))], [])
        self.assertEqual(reader.faults, [])

    def test_a_link_for_a_regulator(self):
        made = self.server.export()
        page = self.browser.signed_in(self.server)
        page.goto(f"/exports/{made['id']}")
        form = page.locator(f"form[action='/exports/{made['id']}/links']")
        form.locator("[name=recipient]").fill("Authority for data protection")
        form.locator("button.main, button").last.click()
        page.locator("code.secret").first.wait_for()
        secrets = page.locator("code.secret").all_inner_texts()
        url = next(text for text in secrets if "/r/" in text)
        phrase = next(text for text in secrets if "/r/" not in text)

        reader = self.browser.person(self.server)
        reader.goto(url)
        self.assertNotIn("VERIFIED", reader.locator("main").inner_text())
        reader.fill("#pass_phrase", "wrong-wrong-wrong-wrong")
        reader.locator("main button.main").click()
        self.assertNotIn("VERIFIED", reader.locator("main").inner_text())
        self.assertEqual(reader.locator("[role=alert]").count(), 1)

        reader = self.browser.person(self.server)
        reader.goto(url)
        reader.fill("#pass_phrase", phrase)
        reader.locator("main button.main").click()
        self.assertIn("VERIFIED: 30", words(reader.locator(".verdict").inner_text()))
        bundle = self.saved(reader, lambda: reader.locator("form[action$='/bundle.zip'] button").click(), "shared.zip")
        reader.goto("/verify")
        self.assertIn("30 entries", self.check(reader, bundle))

        page.goto(f"/exports/{made['id']}")
        page.locator("form[action*='/links/'] button").first.click()
        page.wait_for_load_state()
        answer = reader.goto(url)
        self.assertEqual(answer.status, 410)

    def test_a_case_of_several_ids(self):
        self.server.post("visits", {"operation": "read", "data_subject": "USER_17", "time": "2026-05-20T10:00:00Z"})
        page = self.browser.signed_in(self.server)
        page.goto("/search")
        page.fill("#subjects", "user_17")
        page.fill("#purpose", "request for access")
        page.locator("main form[action='/search'] button.main").click()
        page.wait_for_url("**/cases/*")
        self.assertIn("30 entries name this person", page.locator("#found").inner_text())
        self.assertNotIn("user_17", page.url + page.title())
        # The reader's clocks are those of Berlin.
        local = page.locator("[data-local]").first
        self.assertIn("10:30:12", local.inner_text())
        page.locator("form.alike button").first.click()
        page.get_by_text("USER_17", exact=True).first.wait_for()
        page.locator("#found", has_text="31").wait_for()
        self.assertIn("31 entries name this person", page.locator("#found").inner_text())
        page.locator("form[action$='/exports'] button.main").click()
        page.locator(".made .verdict").nth(1).wait_for()
        said = [words(text) for text in page.locator(".made .verdict").all_inner_texts()]
        self.assertIn("VERIFIED: 30 entries", said[0])
        self.assertIn("VERIFIED: 1 entry", said[1])
        bundle = self.saved(page, lambda: page.locator(".made a[href$='/bundle.zip']").last.click(), "of-case.zip")
        self.assertTrue(zipfile.is_zipfile(bundle))
        self.assertEqual(page.faults, [])

    def test_hostile_texts_are_only_shown(self):
        for role in ("auditor", "admin"):
            page = self.browser.signed_in(self.server, role)
            for place in ("/", "/logs/orders", "/exports", "/tokens", "/people", "/docs"):
                page.goto(place)
                self.assertNotEqual(page.title(), "run", place)
                self.assertEqual(page.faults, [], place)

    def test_signing_out_ends_the_session(self):
        page = self.browser.signed_in(self.server)
        cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
        session = next(cookie for name, cookie in cookies.items() if "session" in name)
        self.assertTrue(session["httpOnly"])
        self.assertIn(session["sameSite"], ("Strict", "Lax"))
        page.locator(".account summary").click()
        page.locator("form[action='/signout'] button").first.click()
        page.wait_for_load_state()
        page.goto("/exports")
        self.assertIn("/signin", page.url)


if __name__ == "__main__":
    unittest.main()
