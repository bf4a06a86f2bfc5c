from concurrent.futures import ThreadPoolExecutor

from ecocviz.views.shared.app import cache, printed
from ecocviz.views.shared.draw.build import build_figure
from ecocviz.views.shared.draw.theme import LIGHT


def figure(y):
    return build_figure(
        [{"type": "scatter", "x": [1, 2], "y": [3, y], "name": "line"}], {"height": 200}, LIGHT
    )


def test_who_saves_the_same_figure_gets_the_same_file_which_is_drawn_once(monkeypatch):
    cache.forget()
    drawn, draw = [], printed.print_figure

    def count(*given):
        drawn.append(given[1:])
        return draw(*given)

    monkeypatch.setattr(printed, "print_figure", count)
    with ThreadPoolExecutor(12) as class_of_twelve:
        files = list(class_of_twelve.map(lambda _: printed.printed(figure(4), "svg", 8.5), range(12)))
    assert len(set(files)) == 1 and drawn == [("svg", 8.5)]
    others = [printed.printed(figure(5), "svg", 8.5), printed.printed(figure(4), "svg", 17.0)]
    others.append(printed.printed(figure(4), "pdf", 8.5))
    assert len({files[0], *others}) == 4 and len(drawn) == 4
    assert files[0] == draw(figure(4), "svg", 8.5)
    cache.forget()
