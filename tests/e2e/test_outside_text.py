"""Hostile names in files, links and fields: shown letter by letter, and nobody but the server is asked."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from urllib.parse import quote, urlencode, urlsplit

from e2e_tools import DEEP, give_file, ran
from hostile.names import HOSTILE
from playwright.sync_api import expect
from waiting import until

from benchmarks.app import wait_for
from ecocviz.lab.catalogue import SLOTS
from ecocviz.serving.addresses import free_port
from ecocviz.views.catalogue import FIELDS

OTHER = "//other.host"
LEVELS = (
    f"![z]({OTHER}/level.png)",
    f"<img src={OTHER}/level.png onerror=alert(1)>",
    f"$\\href{{{OTHER}}}{{x}}$",
    ":material/home: :smile: :red[x]",
)
CLASSES = (
    f"<img src={OTHER}/class.png onerror=alert(2)>",
    f"![c]({OTHER}/class.png)",
    f"[d](javascript:alert(3)) https:{OTHER}/ www.other.host a@other.host",
)
COLUMNS = (
    f"![col]({OTHER}/column.png)",
    f"<img src={OTHER}/column.png onerror=alert(4)>",
    "%{x}<extra>{{7*7}}</extra>",
    f"<script>fetch('{OTHER}/script')</script>",
    "<b>:streamlit: -> </b>\N{RIGHT-TO-LEFT OVERRIDE}abc",
)
LABEL = f"$\\text{{label}}$ ![l]({OTHER}/label.png)"
FILE = "![f](www.other.host) <img src=x onerror=alert(5)> :smile: $x^2$.csv"

PAGES = (
    "Playground", "Code matrix", "Decoders", "Bits", "Relations", "Model selection", "Reductions", "Runs",
    "Data",
)  # fmt: skip


def csv_of(rows, names):
    """Write a file with a line of names and rows, every cell in quotes."""
    lines = [",".join('"' + str(cell).replace('"', '""') + '"' for cell in row) for row in [names, *rows]]
    return "\n".join(lines).encode()


def hostile_file():
    rows = [
        [
            CLASSES[k % 3],
            k % 3 + 0.07 * (k % 11),
            2 * (k % 3) + 0.11 * (k % 7),
            0.3 * (k % 5),
            k % 3,
            LEVELS[k % 4],
        ]
        for k in range(60)
    ]
    return csv_of(rows, [LABEL, *COLUMNS])


def too_far_file():
    """A file of which the machines cannot be trained, for a reason that quotes a column."""
    rows = [[CLASSES[k % 3], k % 5 + 0.5, 1e300 if k == 7 else k] for k in range(60)]
    return csv_of(rows, [LABEL, "fine", COLUMNS[0]])


class Watch:
    """What a page asks for, from now on, and what it shows that no name may become."""

    def __init__(self, page, server):
        self.page, self.host, self.asked, self.said = page, urlsplit(server).netloc, [], []
        page.context.on("request", lambda request: self.asked.append(request.url))
        page.on("websocket", lambda socket: self.asked.append(socket.url))
        page.on("popup", lambda popup: self.asked.append(popup.url))
        page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.shown = ""

    def look(self):
        """Note what is to be read, and fail where something of a name is more than letters."""
        self.page.evaluate(DEEP)
        found = self.page.evaluate(MADE)
        assert found["made"] == []
        self.shown += found["text"].replace("\N{WORD JOINER}", "") + "\n"

    def close(self):
        """Fail where the page asked another host."""
        strangers = [url for url in self.asked if urlsplit(url).scheme not in ("data", "blob")]
        assert [url for url in strangers if urlsplit(url).netloc != self.host] == []
        assert self.said == []


MADE = """() => {
  const roots = [document];
  for (const one of document.querySelectorAll('*')) if (one.shadowRoot) roots.push(one.shadowRoot);
  const every = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const hosts = ['src', 'href', 'srcset', 'action', 'data', 'poster', 'xlink:href', 'background', 'style'];
  const asks = (one, name) => hosts.includes(name) && /other\\.host|javascript:/.test(one.getAttribute(name));
  const made = every('*').flatMap((one) => one.getAttributeNames()
    .filter((name) => name.startsWith('on') || asks(one, name))
    .map((name) => `${one.tagName} ${name}=${one.getAttribute(name)}`));
  const markup = '.katex, .stMarkdown :is(img, h1, h2, li, blockquote, del), .stAlert :is(a, b)';
  made.push(...every(markup).map((one) => one.outerHTML.slice(0, 200)));
  const texts = (all) => [...all].map((one) => one.innerText).join(' ');
  const read = (root) => root.body ? root.body.innerText : texts(root.children);
  const text = roots.map(read).join('\\n');
  const icons = every('[data-testid=stIconMaterial]').filter((one) => one.textContent === 'home');
  made.push(...icons.map((one) => one.outerHTML));
  if (/[\\u{1F600}-\\u{1F64F}]/u.test(text)) made.push('an emoji');
  const svg = every('svg text').map((one) => one.textContent).join('\\n');
  return { made, text: `${text}\\n${svg}` };
}"""


def finished(page):
    """Wait until nothing is computed any more that the page waits for."""
    ran(page)
    until(lambda: not page.locator('[data-testid="stProgress"], [data-testid="stSpinner"]').count(), 90)
    ran(page)


def unfold(page, where):
    """Unfold what is folded in a part of the page."""
    for part in page.get_by_test_id(where).locator("details:not([open]) > summary").all():
        if part.is_visible():
            part.click()
    ran(page)


def open_the_sidebar(page):
    """Unfold its groups, and open what opens there."""
    unfold(page, "stSidebar")
    for name in ("Share", "Export"):
        button = page.get_by_test_id("stSidebar").get_by_role("button", name=name)
        button.click()
        ran(page)
        button.click()
    ran(page)


SEEN = "(one) => { one.scrollIntoView({block: 'nearest'}); return one.getBoundingClientRect().toJSON(); }"


def hover_figures(page):
    """Point at every figure in several places, and at the regions."""
    for figure in page.locator(".js-plotly-plot .nsewdrag, canvas.base").all():
        box = until(lambda one=figure: (at := one.evaluate(SEEN))["width"] and at)  # a new one, if drawn anew
        for across, down in ((0.5, 0.5), (0.25, 0.3), (0.75, 0.7), (0.5, 0.15), (0.1, 0.9)):
            page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"])


def walk(page, watch):
    """Go through all pages, look into everything, and keep what there is to be read."""
    for name in PAGES:
        page.get_by_role("link", name=name, exact=True).click()
        finished(page)
        unfold(page, "stMainBlockContainer")
        hover_figures(page)
        finished(page)
        watch.look()


def reads(watch, text):
    """Say whether a text was to be read somewhere, shortened as it may be."""
    return text[:13] in watch.shown


@contextmanager
def every_place(root, home):
    """Run the script that writes hostile names wherever markup is read; yield its address."""
    texts = home / "texts.json"
    texts.write_text(json.dumps(HOSTILE))
    script, port = root / "tests/e2e/outside_app.py", free_port()
    options = ["--server.port", str(port), "--server.headless", "true", "--server.fileWatcherType", "none"]
    own = {"ECOCVIZ_HOSTILE_TEXTS": str(texts), "PYTHONPATH": str(root), "ECOCVIZ_HOME": str(home)}
    with (home / "log").open("wb") as log:
        command = [sys.executable, "-m", "streamlit", "run", str(script), *options]
        process = subprocess.Popen(command, cwd=root, env={**os.environ, **own}, stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=60)


PLACES = (
    "caption", "info", "warning", "error", "title", "said", "cell", "progress", "button", "expander", "label",
    "bold", "pill", "slider", "list", "several", "code",
)  # fmt: skip

READ = """(places) => places.map((place) => {
  const box = document.querySelector(`.st-key-${place}`);
  const fields = [...box.querySelectorAll('input')].map((one) => one.value);
  return [box.innerText, ...fields].join(' ').replaceAll('\u2060', '').replace(/\\s+/g, ' ');
})"""


def test_every_place_that_reads_markup_shows_letters(visit, root, tmp_path):
    with every_place(root, tmp_path) as address:
        page = visit(address, height=1_200)
        watch = Watch(page, address)
        expect(page.locator(".js-plotly-plot .annotation")).to_have_count(len(HOSTILE))
        ran(page)
        places = [f"{place}-{k}" for place in PLACES for k in range(len(HOSTILE))]

        def missing():
            found = zip(places, page.evaluate(READ, places), strict=True)
            return {place: text for place, text in found if HOSTILE[int(place.split("-")[1])] not in text}

        with suppress(AssertionError):  # programs of Streamlit's page come when they are first needed
            until(lambda: not missing())
        assert missing() == {}
        for kind in (".annotation-text", ".ytick text", ".legendtext"):
            texts = page.locator(f".js-plotly-plot {kind}").all_text_contents()
            assert [text.replace("\N{WORD JOINER}", "") for text in texts] == HOSTILE
        for k in range(len(HOSTILE) - 2):  # the last two are wider than the figure
            page.locator(".js-plotly-plot .bars .point").nth(k).hover(force=True)
            until(lambda k=k: hovered(page) == f"{HOSTILE[k]} {HOSTILE[k]}")
        watch.look()
        watch.close()
        page.close()  # before its server is gone


def hovered(page):
    """Return what is written where a figure is pointed at."""
    texts = page.locator(".js-plotly-plot .hovertext").all_text_contents()
    return "".join(texts).replace("\N{WORD JOINER}", "")


def test_hostile_names_are_letters_on_every_page(visit, server):
    page = visit(f"{server}/data")
    watch = Watch(page, server)
    finished(page)
    give_file(page, FILE, hostile_file())
    expect(page.get_by_role("button", name="Use these data")).to_be_visible()
    page.get_by_role("combobox", name="Column that holds the class").click()
    watch.look()
    page.get_by_role("option", name=LABEL, exact=True).click()
    finished(page)
    watch.look()
    page.get_by_role("button", name="Use these data").click()
    finished(page)
    expect(page.get_by_test_id("stMainBlockContainer")).to_contain_text(
        "has 60 rows of 5 features in 3 classes"
    )
    walk(page, watch)
    open_the_sidebar(page)
    watch.look()
    for name in (*CLASSES, *COLUMNS[:3], LABEL, FILE):
        assert reads(watch, name), name
    assert "<b>:streamlit: -> </b>⟨U+202E⟩" in watch.shown
    give_file(page, f"{FILE}.xlsx", b"PK\x03\x04 a spreadsheet")
    expect(page.get_by_role("alert")).to_be_visible()
    watch.look()
    watch.close()


def test_what_cannot_be_computed_is_said_in_letters(visit, server):
    page = visit(f"{server}/data")
    watch = Watch(page, server)
    finished(page)
    give_file(page, FILE, too_far_file())
    page.get_by_role("combobox", name="Column that holds the class").click()
    page.get_by_role("option", name=LABEL, exact=True).click()
    finished(page)
    page.get_by_role("button", name="Use these data").click()
    finished(page)
    for name in ("Data", "Playground", "Decoders", "Model selection", "Reductions"):
        page.get_by_role("link", name=name, exact=True).click()
        finished(page)
        watch.look()
    assert "holds numbers too far from the others" in watch.shown
    assert reads(watch, COLUMNS[0])
    page.get_by_role("link", name="Code matrix", exact=True).click()
    finished(page)
    watch.close()


LINKED = (*LEVELS, *CLASSES, *COLUMNS[:4], f"![a]({OTHER}/l.png)", "1. # > | - x\n---\n* y")


def test_hostile_links_are_letters(visit, server):
    page = visit(server)
    watch = Watch(page, server)
    finished(page)
    fields = ["data", "seed", *SLOTS, "coding.matrix", "data.digest", *FIELDS]
    links = [
        f"{server}/?{quote(f'![a]({OTHER}/l.png)')}=1",
        f"{server}/?{urlencode(dict.fromkeys(LINKED[::2], 1))}",
        f"{server}/?{urlencode(dict.fromkeys(LINKED[1::2], 1))}",
    ]
    for start in range(0, len(LINKED), 4):
        values = {field: LINKED[(start + k) % len(LINKED)] for k, field in enumerate(fields)}
        links.append(f"{server}/data?{urlencode(values)}")
    for link in links:
        page.goto(link)
        expect(page.get_by_role("alert").first).to_be_visible()
        watch.look()
    for name in (f"![a]({OTHER}/l.png)", "<img src=//other", ":material/home"):
        assert reads(watch, name), name
    watch.close()


def test_hostile_texts_in_fields_are_letters(visit, server):
    page = visit(f"{server}/code_matrix")
    watch = Watch(page, server)
    finished(page)
    page.get_by_role("button", name="Paste or upload").click()
    for name in LINKED[::4]:
        field = page.get_by_role("textbox", name="Code matrix")
        field.fill(f'"{name}",1,-1\n"b",-1,1')
        field.press("Control+Enter")
        page.get_by_role("button", name="Use this matrix").click()
        expect(page.get_by_role("alert")).to_be_visible()
        ran(page)
        watch.look()
    watch.close()
