"""WCAG 2.2 AA, as far as a program can tell: axe on every page, in both languages and colour schemes and on a phone's width."""
import unittest

from axe_playwright_python.sync_playwright import Axe
from pages import all_pages
from portal import Browser, Server

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
SIZES = {"wide": (1280, 800), "phone": (390, 844)}


class Accessible(unittest.TestCase):
    def test_every_page(self):
        self.see_all("en-GB", ("light", "dark"))

    def test_every_page_in_german(self):
        self.see_all("de-DE", ("light",))

    def see_all(self, locale, schemes):
        server, browser = Server(), Browser(locale)
        self.addCleanup(server.stop)
        self.addCleanup(browser.close)
        server.sample()
        seen = 0
        for name, page in all_pages(server, browser):
            for size, (width, height) in SIZES.items():
                for scheme in schemes:
                    page.set_viewport_size({"width": width, "height": height})
                    page.emulate_media(color_scheme=scheme)
                    with self.subTest(page=name, size=size, scheme=scheme):
                        found = Axe().run(page, options=RULES).response["violations"]
                        grave = [f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]}"
                                 for one in found if one["impact"] in ("serious", "critical", "moderate")]
                        self.assertEqual(grave, [])
                        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                        self.assertLessEqual(over, 0, "wider than the window")
                        seen += 1
        self.assertGreater(seen, 50)


if __name__ == "__main__":
    unittest.main()
