"""Opens pages that `seedbank report` wrote in a headless Chromium and looks at them as readers do.

    python3 scripts/look_at_pages.py [--shots DIR] [--site DIR] [--text TEXT]... PAGE...

Each page is opened in windows of 360, 800 and 1600 pixels, light and dark. It must load nothing but
itself, write nothing on the console, keep within the width of the window, and have every text given by
--text. Whatever can be focused is reached with the Tab key, visibly; the arrow keys move in tables, and
the panel shows the cell in hand, also one with a long value. The lists of patterns have curves, and are
copied by their buttons and by selecting them. --shots keeps a picture of each page in a folder.

Pages of the site in the folder that --site names load its styles and its script, too. Its index is
searched by keyboard alone.

Needs Python with playwright (scripts/requirements.txt) and Chromium: the program that
SEEDBANK_CHROMIUM names, or `chromium` of the PATH. Prints a line for each page; ends with status 1 and
the reasons where one does not pass.
"""

import argparse
import os
import pathlib
import shutil
import sys

WIDTHS = {"desk": (1600, 900), "tablet": (800, 900), "phone": (360, 844)}
THEMES = ("light", "dark")

# Whatever the Tab key must reach, of what is shown.
FOCUSABLE = "a[href]:not([tabindex='-1']), button, input, select, summary, [tabindex='0']"

# The middle of a cell may be a link.
CORNER = {"x": 3, "y": 3}

NAME_OF_FOCUS = """() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const box = e.getBoundingClientRect();
  const style = getComputedStyle(e);
  e.dataset.met = "yes";
  return {
    tag: e.tagName.toLowerCase(),
    name: (e.getAttribute("aria-label") || e.textContent || (e.labels && e.labels[0] || {}).textContent || "").trim(),
    outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
    seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
  };
}"""

UNMET = """(selector) => [...document.querySelectorAll(selector)]
  .filter((e) => e.checkVisibility() && !e.dataset.met)
  .map((e) => e.outerHTML.slice(0, 120))"""


class Fault(Exception):
    """What is wrong with a page."""


def check(holds, what):
    if not holds:
        raise Fault(what)


def chromium():
    named = os.environ.get("SEEDBANK_CHROMIUM", "chromium")
    found = shutil.which(named)
    if found is None:
        sys.exit(
            f"no program {named!r}: install Chromium (Debian: apt-get install chromium), "
            "or name one in SEEDBANK_CHROMIUM"
        )
    return found


def walk(page):
    """Goes through the page with the Tab key alone."""
    # Where a click was, the Tab key would start.
    page.reload()
    for _ in range(4000):
        page.keyboard.press("Tab")
        focus = page.evaluate(NAME_OF_FOCUS)
        if focus is None:
            break
        check(focus["seen"], f"focus leaves the window at {focus}")
        check(focus["outline"], f"focus is not visible at {focus}")
        check(focus["name"], f"what has focus has no name: {focus}")
    else:
        raise Fault("the Tab key does not come to an end")
    unmet = page.evaluate(UNMET, FOCUSABLE)
    check(not unmet, f"the Tab key does not reach {unmet}")


def panel_text(page):
    return page.locator("#panel").inner_text() if page.locator("#panel").is_visible() else ""


def grids(page, shot):
    """Moves through the first table with values by arrow keys, and changes what colours show."""
    cell = page.locator("table.grid [data-v][tabindex='0']").first
    if cell.count() == 0:
        return
    cell.focus()
    first = page.evaluate("() => document.activeElement.textContent")
    value = page.evaluate("() => document.activeElement.querySelector('b').textContent")
    check(value.rstrip("…") in panel_text(page), f"the panel shows {panel_text(page)!r} and not {value!r}")
    for key, back in (("ArrowDown", "ArrowUp"), ("ArrowRight", "ArrowLeft"), ("End", "Home")):
        page.keyboard.press(key)
        moved = page.evaluate("() => document.activeElement.matches('table.grid [tabindex=\"0\"]')")
        check(moved, f"{key} leaves the table")
        page.keyboard.press(back)
    page.keyboard.press("Control+Home")
    page.keyboard.press("Escape")
    check(panel_text(page) == "", "Escape does not close the panel")
    cell = page.locator("table.grid [data-v]").first
    cell.click(position=CORNER)
    check(panel_text(page) != "", f"a click on {first!r} shows nothing")
    if shot:
        page.screenshot(path=shot)
    choice = page.locator("select").first
    if choice.count():
        options = choice.locator("option").all_inner_texts()
        for option in options:
            choice.select_option(option)
            coloured = page.locator("table.grid [data-v][class]:not([class=''])").count()
            check(coloured > 0, f"no cell has a colour for {option}")
        choice.select_option(options[0])


def long_values(page):
    """Clicks each cell with a long value after another cell: the panel shows the one that was clicked."""
    cells = page.locator("main > section td[data-v]:visible")
    texts = cells.locator("b").all_inner_texts()
    others = [place for place, text in enumerate(texts) if not text.startswith("#") and not text.endswith("…")]
    for place, text in enumerate(texts):
        if text.startswith("#"):
            if others:
                cells.nth(others[0]).click(position=CORNER)
            cells.nth(place).click(position=CORNER)
            shown = panel_text(page)
            check(text in shown and "digest" in shown, f"the panel shows {shown!r} and not {text!r}")
            check("begins, in braces" in shown, f"the panel of {text!r} has no head: {shown!r}")
            check("--full" in shown, f"the panel of {text!r} does not say how to see it whole: {shown!r}")
        elif text.endswith("…"):
            cells.nth(place).click(position=CORNER)
            shown = panel_text(page)
            whole = page.locator("#panel strong").inner_text()
            check(text[:-1] in shown and len(whole) > len(text), f"the panel shows {shown!r} and not all of {text!r}")
    page.keyboard.press("Escape")


def lists(page):
    """Copies the lists of patterns, which have curves beside them."""
    page.evaluate("() => document.querySelectorAll('details').forEach((e) => { e.open = true; })")
    for along in page.locator(".along").all():
        curves = along.locator(".curves svg")
        for curve in curves.all():
            check(curve.locator("polyline, circle").count() > 0, "a chart along a pattern has no curve")
        differ = along.locator(".curves .note").count() > 0 or curves.count() > 0
        check(differ, "a list has neither curves nor a note")
        table = along.locator("table.pairs")
        rows = table.locator("tr").all()
        lines = ["\t".join(row.locator("th, td").all_text_contents()) for row in rows]
        along.locator("button.copy").first.click()
        copied = page.evaluate("() => navigator.clipboard.readText()")
        check(copied == "\n".join(lines) + "\n", f"{copied!r} was copied, and not {lines!r}")
        check("Copied" in along.locator("button.copy").first.inner_text(), "the button does not say that it copied")
        selected = table.evaluate(
            "(e) => { getSelection().selectAllChildren(e); const text = getSelection().toString(); "
            "getSelection().removeAllRanges(); return text; }"
        )
        check(selected.split() == "\n".join(lines).split(), f"{selected!r} was selected, and not {lines!r}")


def themes(page):
    background = "() => getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(background)
    page.locator("#theme").click()
    after = page.evaluate(background)
    check(before != after, "the button does not change between light and dark")
    page.locator("#theme").click()
    check(page.evaluate(background) == before, "the button does not change back")


def search(page):
    """Finds each kind of row of an index by keyboard alone, and opens the page of a value and that of a job."""
    shown = "table.index[data-noun='{}'] tbody tr:not([hidden])"
    for noun in ("value", "result"):
        rows = page.locator(shown.format(noun))
        name = rows.last.locator("a").inner_text()
        all_rows = rows.count()
        page.keyboard.press("/")
        page.keyboard.type(name)
        first = rows.first.locator("a").inner_text()
        check(first == name, f"the search for {name!r} shows {first!r} first")
        check(rows.count() < all_rows or all_rows == 1, f"the search for {name!r} leaves all rows")
        check(noun in page.locator("#found").inner_text(), "the search does not say what it found")
        page.keyboard.press("ArrowDown")
        focused = page.evaluate("() => document.activeElement.textContent")
        check(focused == name, f"the down arrow leads from the search to {focused!r}")
        page.keyboard.press("Escape")
        check(page.evaluate("() => document.activeElement.id") == "search", "Escape does not lead to the search")
        index = page.url
        with page.expect_navigation():
            page.keyboard.press("Enter")
        check(page.url != index, f"Enter does not open {name!r}")
        home = page.locator("nav a").first
        check(home.inner_text() != "", "there is no way back")
        if noun == "value":
            heading = page.locator("h1").inner_text()
            check(heading == name, f"the page of {name!r} has the heading {heading!r}")
            with page.expect_navigation():
                page.locator("main li a").first.click()
            held = page.evaluate("() => document.activeElement.querySelector('b a').textContent")
            check(held.rstrip("…") == name[:len(held.rstrip("…"))], f"its job shows {held!r} and not {name!r}")
            with page.expect_navigation():
                page.keyboard.press("Enter")
            check(page.locator("h1").inner_text() == name, "Enter in a cell does not open the page of its value")
        page.goto(index)
    page.keyboard.press("/")
    page.keyboard.type("no such value")
    found = page.locator("#found").inner_text()
    check(found == "0 results, 0 values", f"nothing is found as {found!r}")
    page.keyboard.press("Escape")
    check(page.locator(shown.format("value")).count() > 0, "Escape does not clear the search")


def look(browser, path, texts, shots, site):
    for width_name, (width, height) in WIDTHS.items():
        for theme in THEMES:
            # Going through a page takes long, and the layouts and themes are independent.
            is_walked = (width_name, theme) in {("desk", "light"), ("phone", "dark")}
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=theme,
                has_touch=width_name == "phone",
                permissions=["clipboard-read", "clipboard-write"],
            )
            page = context.new_page()
            requests, messages = [], []
            page.on("request", lambda request: requests.append(request.url))
            page.on("console", lambda message: messages.append(f"{message.type}: {message.text}"))
            page.on("pageerror", lambda error: messages.append(f"error: {error}"))
            try:
                url = path.resolve().as_uri()
                page.goto(url)
                if shots:
                    shot = shots / f"{path.stem}-{width_name}-{theme}.png"
                    page.screenshot(path=shot, full_page=True)
                body = page.evaluate("() => document.body.textContent")
                for text in texts:
                    check(text in body, f"the text {text!r} is not there")
                overflow = page.evaluate(
                    "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
                )
                check(overflow <= 0, f"the page is {overflow} pixels wider than the window")
                wide = page.evaluate(
                    "() => [...document.querySelectorAll('.shared')].filter((e) => e.rows[0].cells.length <= 2"
                    " && e.parentElement.scrollWidth > e.parentElement.clientWidth).length"
                )
                check(wide == 0, f"{wide} tables of two columns are wider than the window")
                nameless = page.evaluate(
                    "() => [...document.querySelectorAll('svg')].filter((e) => !e.querySelector('title')).length"
                )
                check(nameless == 0, f"{nameless} pictures have no title")
                for heading in ("h1", "main > section"):
                    check(page.locator(heading).count() > 0, f"there is no {heading}")
                themes(page)
                grids(page, shots and shots / f"{path.stem}-{width_name}-{theme}-cell.png")
                if is_walked:
                    long_values(page)
                    walk(page)
                    lists(page)
                # Whatever is folded can be unfolded, and keeps within the window, too.
                page.evaluate("() => document.querySelectorAll('details').forEach((e) => { e.open = true; })")
                overflow = page.evaluate(
                    "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
                )
                check(overflow <= 0, f"unfolded, the page is {overflow} pixels wider than the window")
                beside = [(site / name).resolve().as_uri() for name in ("style.css", "script.js")] if site else []
                allowed = [url, *beside]
                others = [made for made in requests if made not in allowed and not made.startswith("data:")]
                check(not others, f"the page asks for {others}")
                if page.locator("#search").count():
                    search(page)
                check(not messages, f"the console has {messages}")
            except Fault as fault:
                raise Fault(f"{path.name}, {width_name}, {theme}: {fault}") from None
            finally:
                context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("pages", nargs="+", type=pathlib.Path, metavar="PAGE")
    parser.add_argument("--shots", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--site", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--text", action="append", default=[])
    arguments = parser.parse_args()
    program = chromium()
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        sys.exit("no module playwright: scripts/setup installs it in .venv; run this with .venv/bin/python")
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for path in arguments.pages:
            try:
                look(browser, path, arguments.text, arguments.shots, arguments.site)
                print(f"{path}: {path.stat().st_size} bytes, in order")
            except Fault as fault:
                faults.append(str(fault))
        browser.close()
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
