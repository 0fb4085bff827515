"""A review in a real Chromium: filters, keys, marking, export, hostile words, and nothing that leaves the machine."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from aigov_eval.review.items import add
from aigov_eval.review.store import connect
from aigov_eval.scoring import Engine
from tests.review.conftest import TOKEN, Served, serve, write_batch

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)
SHOTS = os.environ.get("AIGOV_SCREENSHOTS", "")

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium of this machine."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-background-networking"]
        )
        yield started
        started.close()


class Window:
    """A window of the browser, with all it asked for and all its console said."""

    def __init__(self, browser: Any, served: Served, **options: Any) -> None:
        self.context = browser.new_context(accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(45_000)
        self.asked: list[str] = []
        self.said: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.url = served.url

    def enter(self, who: str) -> Any:
        """Open the link and begin under a name."""
        self.page.goto(f"{self.url}/?token={TOKEN}")
        self.page.fill("input[name=who]", who)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("html[data-keys] table.list")
        return self.page

    def quiet(self) -> None:
        """Nothing was asked of any other address, no policy was broken, no script failed."""
        assert all(url.startswith(self.url) for url in self.asked), self.asked
        assert self.said == []


def moved(page: Any, before: str) -> None:
    """Wait until another page is there and takes keys."""
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector("html[data-keys]")


@pytest.fixture
def window(browser: Any, served: Served) -> Iterator[Window]:
    """One window, which must have stayed on this machine."""
    made = Window(browser, served)
    yield made
    made.quiet()
    made.context.close()


def _status(db: Path) -> list[tuple[str, str]]:
    with closing(connect(db)) as connection:
        rows = connection.execute(
            "select field, status from unit where kind in ('finding', 'missed') order by id"
        ).fetchall()
        return [tuple(row) for row in rows]


def test_filters_narrow_the_list(window: Window) -> None:
    """A choice and a search leave what they name, in the address, and can be taken back."""
    page = window.enter("ana")
    assert page.inner_text("h1") == "24 to look at"
    page.select_option("select[name=field]", "health")
    page.click("text=Filter")
    page.wait_for_url("**field=health*")
    assert page.inner_text("h1") == "4 to look at"
    page.wait_for_selector("html[data-keys]")
    page.keyboard.press("/")
    page.keyboard.type("epilepsy")
    page.keyboard.press("Enter")
    page.wait_for_url("**text=epilepsy*")
    assert page.inner_text("h1") == "4 to look at"
    page.click("text=all >> nth=-1")
    assert page.locator("svg[role=img]").count() >= 2


def test_hostile_words_do_nothing(window: Window) -> None:
    """Markup in ids, words and comments is text: the title stays, no element of it exists, no policy is even asked."""
    page = window.enter("ana")
    page.keyboard.press("n")
    page.wait_for_selector("html[data-keys] #decide")
    page.fill("#why", "<img src=x onerror=document.title='owned'>")
    page.click("text=Comment only")
    page.wait_for_selector("ol.words")
    assert "owned" not in page.title()
    assert page.locator("main img, main svg, ol.words img, h1 b").count() == 0
    assert "<svg onload" in page.inner_text("main")
    assert page.evaluate("document.querySelectorAll('script').length") == 1


def test_marking_with_the_pointer_lands_on_the_words(window: Window, db: Path) -> None:
    """Words selected behind escapes and a letter of two units are kept as they stand in the conversation."""
    page = window.enter("ana")
    page.goto(page.url + "?kind=clean")
    page.click("table.list a >> nth=0")
    page.wait_for_selector("html[data-keys] #miss")
    said = page.locator(".said[data-turn='0']")
    said.evaluate(
        """(node) => {
          const text = node.firstChild, at = text.data.indexOf("\\u{1F642}");
          const range = document.createRange();
          range.setStart(text, at); range.setEnd(text, at + 2);
          getSelection().removeAllRanges(); getSelection().addRange(range);
        }"""
    )
    page.keyboard.press("m")
    assert page.evaluate("document.activeElement.id") == "missed"
    page.keyboard.type("health")
    page.keyboard.press("Enter")
    page.wait_for_selector("main mark.note")
    assert page.inner_text("main mark.note") == "\U0001f642"
    with closing(connect(db)) as connection:
        [row] = connection.execute("select * from decision where what = 'miss'").fetchall()
    turn, start, end = map(int, row["place"].split(":"))
    with closing(connect(db)) as connection:
        said_json = json.loads(
            connection.execute(
                "select said from conversation where key = ?", (row["conversation"],)
            ).fetchone()[0]
        )
    assert said_json[turn]["content"][start:end] == row["words"] == "\U0001f642"


def test_keys_do_everything(window: Window, db: Path) -> None:
    """Accept, reject, another field, missed words, a reason, settle, take back, on and back: no pointer needed."""
    page = window.enter("ana")
    page.keyboard.press("n")
    page.wait_for_selector("html[data-keys] #decide")
    first = page.url
    page.keyboard.press("a")
    moved(page, first)
    second = page.url
    page.keyboard.press("c")
    page.keyboard.type("no, a test")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    page.keyboard.press("r")
    moved(page, second)
    third = page.url
    page.keyboard.press("f")
    page.keyboard.type("phone")
    page.keyboard.press("Enter")
    moved(page, third)
    fourth = page.url
    page.keyboard.press("m")
    page.keyboard.type("Ana Popa")
    page.keyboard.press("Tab")
    page.keyboard.type("person_name")
    page.keyboard.press("Enter")
    page.wait_for_selector("main mark.note")
    assert page.url == fourth
    page.goto(first)
    page.wait_for_selector("html[data-keys]")
    page.keyboard.press("u")
    page.wait_for_url(first)
    page.wait_for_selector("#decide button[value=undo]", state="detached")
    page.goto(first)
    page.wait_for_selector("html[data-keys]")
    page.keyboard.press("j")
    moved(page, first)
    page.keyboard.press("l")
    page.wait_for_selector("table.list")
    told = [status for _, status in _status(db)]
    assert told.count("rejected") == 1
    assert told.count("changed") == 1
    assert "accepted" in told  # the missed words
    with closing(connect(db)) as connection:
        rejected = connection.execute("select why, final from decision where what = 'reject'").fetchone()
    assert tuple(rejected) == ("no, a test", 1)


def test_two_tabs_of_two_reviewers(browser: Any, served: Served, db: Path) -> None:
    """Two names in two tabs of one browser decide at once; the disagreement stands first and both words are kept."""
    window = Window(browser, served)
    one = window.enter("ana")
    other = window.context.new_page()
    other.goto(f"{served.url}/as/ion/")
    other.wait_for_selector("html[data-keys]")
    for page, key in ((one, "a"), (other, "r")):
        page.keyboard.press("n")
        page.wait_for_selector("html[data-keys] #decide")
        before = page.url
        page.keyboard.press(key)
        moved(page, before)
    one.goto(f"{served.url}/as/ana/")
    assert one.inner_text("table.list tbody tr:first-child td.status") == "disputed"
    with closing(connect(db)) as connection:
        assert connection.execute("select count(*) from decision").fetchone()[0] == 2
    window.quiet()
    window.context.close()


def test_exports_are_files(window: Window, tmp_path: Path) -> None:
    """Signed off and exported: the report opens on its own, without a request."""
    page = window.enter("ana")
    page.keyboard.press("n")
    page.wait_for_selector("html[data-keys] #decide")
    before = page.url
    page.keyboard.press("a")
    moved(page, before)
    page.goto(f"{window.url}/as/ana/agreement")
    page.fill("textarea[name=why]", "I read all of it.")
    page.click("text=Sign as ana")
    page.wait_for_selector("text=I read all of it.")
    for name in ("labels.jsonl", "baseline.json", "controls.yaml", "report.html"):
        with page.expect_download() as coming:
            page.click(f"text={name}")
        coming.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes()
    shown = window.context.new_page()
    asked: list[str] = []
    shown.on("request", lambda request: asked.append(request.url))
    shown.goto((tmp_path / "report.html").as_uri())
    assert "Signed off by ana" in shown.inner_text("body")
    assert asked == [(tmp_path / "report.html").as_uri()]
    assert shown.pdf()[:4] == b"%PDF"


def test_two_hundred_findings_by_keyboard_alone(browser: Any, stock: Engine, tmp_path: Path) -> None:
    """From the link to the last of 200 findings with keys only; each is decided once, and nothing left the machine."""
    source = write_batch(tmp_path, 300)
    path = tmp_path / "r.sqlite"
    with closing(connect(path)) as connection:
        add(connection, [str(source)], stock.common)
        total = connection.execute("select count(*) from unit where kind = 'finding'").fetchone()[0]
    assert total == 200
    serving = serve(path, stock)
    served = next(serving)
    window = Window(browser, served)
    page = window.enter("ana")
    page.keyboard.press("n")
    page.wait_for_selector("html[data-keys] #decide")
    for number in range(total):
        before = page.url
        page.keyboard.press("ar"[number % 5 == 0])
        moved(page, before)
    assert "done=1" in page.url
    with closing(sqlite3.connect(path)) as connection:
        told = connection.execute(
            "select what, count(*), count(distinct unit) from decision group by what order by what"
        ).fetchall()
    assert told == [("accept", 160, 160), ("reject", 40, 40)]
    window.quiet()
    window.context.close()
    serving.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1300])
def test_pages_fit_in_light_and_dark_narrow_and_wide(
    browser: Any, served: Served, scheme: str, width: int
) -> None:
    """No page is wider than its window, and its words stand out from their ground; AIGOV_SCREENSHOTS=DIR keeps the pictures."""
    window = Window(browser, served, color_scheme=scheme, viewport={"width": width, "height": 900})
    page = window.enter("ana")
    for name, path in (("list", "/as/ana/"), ("unit", "/as/ana/next"), ("agreement", "/as/ana/agreement")):
        page.goto(served.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        ink, paper = page.evaluate(
            "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
        )
        assert _contrast(ink, paper) > 7
        if SHOTS:
            page.screenshot(
                path=str(Path(SHOTS) / f"review-{name}-{scheme}-{'narrow' if width < 500 else 'wide'}.png")
            )
    window.quiet()
    window.context.close()


def _contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 counts it."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_one_file_report_filters_without_a_server(browser: Any, tmp_path: Path, verdicts: Path) -> None:
    """Opened from the disk it filters by choice and by words, runs nothing but its own script, and asks for nothing."""
    from aigov_eval.cli.main import run as command

    log = verdicts.parent / "log.jsonl"
    with (tmp_path / "scores.jsonl").open("w") as file:
        import contextlib

        with contextlib.redirect_stdout(file):
            command(["score", str(log), "--format", "json"])
    assert (
        command(
            ["report", str(tmp_path / "scores.jsonl"), "--format", "html", "--out", str(tmp_path / "r.html")]
        )
        == 0
    )
    context = browser.new_context()
    page = context.new_page()
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto((tmp_path / "r.html").as_uri())
    assert page.inner_text("#shown") == "24 of 24 verdicts, 12 of 12 conversations"
    page.select_option("#filters select[name=field]", "health")
    assert page.inner_text("#shown") == "4 of 24 verdicts, 4 of 12 conversations"
    assert page.locator("tr[data-case]:visible").count() == 4
    page.click("#filters button")
    page.fill("#filters input", "talk-3 ")
    page.locator("#shown", has_text=re.compile("^2 of")).wait_for()
    assert page.locator("svg[role=img]").count() == 3
    assert page.evaluate("document.title") == "Did the assistant tell personal data?"
    assert said == []
    assert asked == [(tmp_path / "r.html").as_uri()]
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'document.title=1'; document.body.append(s); }"
    )
    assert page.title() == "Did the assistant tell personal data?"
    context.close()
