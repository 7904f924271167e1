#!/usr/bin/env python3
"""Pictures of every page, in each language, wide and narrow, light and dark: `screenshots.py FOLDER`."""
import sys
from pathlib import Path

from pages import all_pages
from portal import Browser, Server

SIZES = {"wide": (1280, 800), "narrow": (390, 844)}
LOCALES = {"en": "en-GB", "de": "de-DE"}


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "target/screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    for language, locale in LOCALES.items():
        server, browser = Server(), Browser(locale)
        try:
            server.sample()
            for name, page in all_pages(server, browser):
                for size, (width, height) in SIZES.items():
                    page.set_viewport_size({"width": width, "height": height})
                    for scheme in ("light", "dark"):
                        page.emulate_media(color_scheme=scheme)
                        page.screenshot(path=folder / f"{name}-{language}-{size}-{scheme}.png", full_page=True)
        finally:
            browser.close()
            server.stop()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main()
