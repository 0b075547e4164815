"""``report.html`` in a real browser: it renders, filters, follows links, is silent on the console, fits small screens.

``make browser`` installs Debian's Chromium with its driver, and Selenium, and runs this; elsewhere it is skipped.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.cli.app import run
from clew.report.page.render import write_page

webdriver = pytest.importorskip("selenium.webdriver", reason="no Selenium: 'make browser' installs it")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason="no chromium: 'make browser' installs it"),
]

LARGE = 10_000
"""Lines of a large file."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> str:
    out = tmp_path_factory.mktemp("browser") / "out"
    assert run(["test", str(repository / "examples" / "withdraw.c"), "--out", str(out), "--quiet"]) == 1
    return (out / "report.html").as_uri()


def show(browser: Any, page: str, width: int = 1280, scheme: str = "light") -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
    browser.get("about:blank")
    browser.get(page)


def ask(browser: Any, script: str) -> Any:
    return browser.execute_script(f"return {script}")


def press(browser: Any, keys: str) -> None:
    browser.find_element("tag name", "body").send_keys(keys)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_the_screen_and_the_console_is_silent(browser: Any, page: str, width: int, scheme: str) -> None:
    show(browser, page, width, scheme)
    assert ask(browser, "document.querySelector('h1').textContent") == "2 bugs found"
    assert ask(browser, "document.documentElement.scrollWidth") <= width
    red, *_ = ask(browser, "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (red < 100) is (scheme == "dark")
    assert browser.get_log("browser") == []


def test_the_button_and_the_key_switch_between_light_and_dark(browser: Any, page: str) -> None:
    show(browser, page)
    before = ask(browser, "getComputedStyle(document.body).backgroundColor")
    browser.find_element("id", "theme").click()
    assert ask(browser, "getComputedStyle(document.body).backgroundColor") != before
    press(browser, "t")
    assert ask(browser, "getComputedStyle(document.body).backgroundColor") == before


def test_links_lead_to_lines_that_can_be_seen(browser: Any, page: str) -> None:
    show(browser, page)
    ask(browser, "document.querySelector('details.source').open = false")
    browser.find_element("css selector", "#bug-2 .place").click()
    line = browser.find_element("css selector", ".l:target")
    assert line.is_displayed() and "balance -= amount;" in line.text
    browser.find_element("css selector", ".chip.missed[href]").click()
    assert browser.find_element("css selector", "tr:target").is_displayed()


def test_a_filter_hides_what_has_not_the_text(browser: Any, page: str) -> None:
    show(browser, page)
    field = browser.find_element("css selector", "[data-filters='tests-table']")
    field.send_keys("signed-overflow")
    rows = browser.find_elements("css selector", "#tests-table tbody tr")
    assert [row.is_displayed() for row in rows].count(True) == 1
    field.clear()
    field.send_keys(" ")
    assert all(row.is_displayed() for row in rows)


def test_the_lines_of_a_test_are_marked(browser: Any, page: str) -> None:
    show(browser, page)
    browser.find_element("css selector", ".show-test").click()
    marked = ask(browser, "[...document.querySelectorAll('.l.shown')].map(line => line.id)")
    assert {"f0L18", "f0L19"} <= set(marked) and "f0L1" not in marked
    browser.find_element("css selector", "#shown-test button").click()
    assert ask(browser, "document.querySelectorAll('.l.shown').length") == 0


def test_keys_go_through_the_source(browser: Any, page: str) -> None:
    show(browser, page)
    press(browser, "n")
    first = ask(browser, "document.querySelector('.l.current').id")
    press(browser, "n")
    assert ask(browser, "document.querySelector('.l.current').id") != first
    press(browser, "p")
    assert ask(browser, "document.querySelector('.l.current').id") == first


def test_a_column_of_figures_sorts(browser: Any, page: str) -> None:
    show(browser, page)
    head = browser.find_elements("css selector", "#functions-table th[data-sort]")[-1]
    names = "[...document.querySelectorAll('#functions-table tr[data-function]')].map(row => row.dataset.function)"
    head.click()
    once = ask(browser, names)
    head.click()
    assert ask(browser, names) == once[::-1]


def test_ten_thousand_lines_are_there_at_once(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "large.c").write_text("int f(int x) { return x > 3; }\n", encoding="utf-8")
    out = tmp_path / "out"
    run(["test", str(tmp_path / "large.c"), "--function", "f", "--out", str(out), "--quiet"])
    kept = json.loads((out / "sources.json").read_bytes())
    longer = {name: text + "  x = x * 3 + 1; /* more */\n" * LARGE for name, text in kept.items()}
    (out / "sources.json").write_text(json.dumps(longer), encoding="utf-8")
    show(browser, write_page(out).as_uri() + f"#f0L{LARGE}")
    line = browser.find_element("css selector", ".l:target")
    assert line.is_displayed() and "x = x * 3" in line.text
    assert browser.get_log("browser") == []
