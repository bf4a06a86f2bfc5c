"""Every page by deep link as the very first request after a server start."""

from playwright.sync_api import expect
from strategies import NIGHTLY


def pytest_generate_tests(metafunc):
    if "page_name" in metafunc.fixturenames:
        pages = (metafunc.config.rootpath / "pages").glob("*.py")
        metafunc.parametrize("page_name", sorted(path.stem for path in pages))


def assert_shown(page, page_name):
    """The page stands: the link's scenario in the sidebar, its tab marked, something drawn, nothing wrong."""
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Iris")
    drawn = page.get_by_test_id("stMainBlockContainer").locator(
        '[data-testid="stBidiComponentRegular"], [data-testid="stPlotlyChart"], canvas, svg, table, '
        ".st-key-runs-start"  # without any run there is nothing but where to begin
    )
    expect(drawn.first).to_be_attached()
    marked = page.locator('[data-testid="stTopNavLink"][aria-current="page"]')
    title = page_name.replace("_", " ").capitalize()
    expect(marked).to_have_text(title)
    expect(page).to_have_title(f"{title} · ecocviz")
    expect(page.get_by_text("Page not found")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_deep_link_is_the_first_request(visit, serving, page_name):
    with serving() as address:
        page = visit(f"{address}/{page_name}?v=1&data=iris")
        try:
            assert_shown(page, page_name)
            # A second visit, now that the app is under way, gives the same; test_accessibility.py makes one
            # to every page in any case.
            if NIGHTLY:
                again = visit(f"{address}/{page_name}?v=1&data=iris")
                try:
                    assert_shown(again, page_name)
                finally:
                    again.context.close()
        finally:
            # Closed while the server is there: a page without its server complains in the console.
            page.context.close()
