"""Everything in German: what people read on the portal, and the page that checks bundles, from a disk too."""
import re, tempfile, unittest, zipfile
from pathlib import Path

from pages import all_pages
from portal import Browser, Server, check, tampered, verdict, words

# Words of English sentences that no German one has. Data, code and what is marked as English are left out.
ENGLISH = set("""about after again and any are be because been before being below by can cannot could each for from had have
if into is it its more most no not nothing of on only or other out over should some than that the their them then there
these they this to under until when where which who whose why will with would you your""".split())
TEXTS = """() => {
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!parent.closest("[lang=en], code, pre, bdi, option, script, style, textarea, noscript")) texts.push(walker.currentNode.data);
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]"))
        texts.push(...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name) ?? ""));
    return [document.title, ...texts];
}"""


def english(page):
    """The texts of a page that have an English word."""
    texts = [text for text in page.evaluate(TEXTS) if ENGLISH & set(re.findall(r"\b[a-z]+\b", text.lower()))]
    return sorted({words(text) for text in texts})


class German(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server, cls.browser = Server(), Browser("de-DE")
        cls.server.sample()
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.stop()
        cls.folder.cleanup()

    def test_no_page_has_an_english_sentence(self):
        seen = 0
        for name, page in all_pages(self.server, self.browser):
            with self.subTest(page=name):
                self.assertEqual(page.get_attribute("html", "lang"), "de")
                self.assertEqual(english(page), [])
            seen += 1
        self.assertGreater(seen, 25)

    def test_a_form_says_in_german_what_is_wrong(self):
        page = self.browser.signed_in(self.server)
        for path, fields, said in (
            ("/search", {"subjects": "user_17", "purpose": " "}, "sagen Sie, wofür das gelesen wird"),
            ("/search", {"subjects": "user_17", "purpose": "x", "from": "2026-05-04", "to": "2026-05-01"}, "der Zeitraum ist leer"),
            ("/exports/new", {"subject": "user_17", "purpose": "x", "time_zone": "Nirgendwo"}, "schreiben Sie eine Zone der IANA-Datenbank"),
            ("/exports/new", {"subject": "user_17", "purpose": "x", "withhold": "nichts"}, "Zeile 1 hat nicht die Form"),
        ):
            page.goto(path)
            with self.subTest(path=path, said=said):
                for details in page.locator("main details").all():
                    details.evaluate("it => it.open = true")
                for name, text in fields.items():
                    page.fill(f"#{name}", text)
                page.locator("main form button.main").last.click()
                page.locator("[role=alert]").wait_for()
                self.assertIn(said.lower(), words(page.locator("[role=alert]").inner_text()).lower())
                self.assertEqual(english(page), [])
        for path, said in (("/logs/none", "nicht gefunden: Log"), ("/tokens", "ein Konto der Rolle auditor darf das nicht")):
            page.goto(path)
            self.assertIn(said.lower(), words(page.locator("main").inner_text()).lower())
            self.assertEqual(english(page), [])

    def test_the_page_in_a_bundle_speaks_the_language_of_its_report_and_any_other(self):
        made = self.server.export(language="de")
        bundle = self.server.bundle(made, "german.zip")
        with zipfile.ZipFile(bundle) as whole:
            alone = Path(self.folder.name) / "verify.html"
            alone.write_bytes(whole.read("verify.html"))
        page = self.browser.person(self.server, offline=True)
        page.goto(alone.as_uri())
        self.assertEqual((page.get_attribute("html", "lang"), page.title()), ("de", "Ein Paket prüfen · Estreat"))
        self.assertIn("30 Einträge nennen genau user_17", check(page, bundle, self.server.keys()))
        self.assertEqual(english(page), [])

        # A finding is the same in both, word for word another.
        self.assertIn("ALTERED (verändert): 2 Befunde", check(page, tampered(bundle), self.server.keys()))
        german = page.locator("#findings .finding").all_inner_texts()
        self.assertIn("eine Datei, die nach dem Manifest verändert wurde", german[0])
        self.assertIn("Stapel von Glied 0", german[1])
        page.locator("#entries .proof-button").first.click()
        self.assertEqual(english(page), [])
        page.click("[data-speak=en]")
        self.assertEqual((page.get_attribute("html", "lang"), page.title()), ("en", "Check a bundle · Estreat"))
        self.assertEqual(verdict(page), "ALTERED: 2 findings")
        findings = page.locator("#findings .finding").all_inner_texts()
        self.assertEqual(len(findings), len(german))
        self.assertIn("a file changed after the manifest was made", findings[0])
        hashes = [re.findall("[0-9a-f]{64}", text) for text in german]
        self.assertEqual([re.findall("[0-9a-f]{64}", text) for text in findings], hashes)
        self.assertTrue(page.locator("#entries .proof-row").first.is_visible(), "what was open stays so")
        page.click("[data-speak=de]")
        self.assertEqual(page.locator("#findings .finding").all_inner_texts(), german)
        self.assertEqual(page.faults, [])


if __name__ == "__main__":
    unittest.main()
