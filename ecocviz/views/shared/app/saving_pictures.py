"""Offers to save what components of the browser draw: planes and codes, drawn from what is known of them."""

from collections.abc import Sequence
from functools import partial

from ecocviz.engine.types import AnyCode
from ecocviz.lab.regions import Points, Regions
from ecocviz.views.shared.app.charts import file_name, presenting
from ecocviz.views.shared.app.saving import Draw, offer_saving
from ecocviz.views.shared.draw.build import Figure
from ecocviz.views.shared.draw.code_picture import Marks, Rows, code_figure, code_table
from ecocviz.views.shared.draw.plane import Look, plane_figure, planes_figure
from ecocviz.views.shared.draw.plane_tables import cells_table, points_table
from ecocviz.views.shared.draw.theme import Theme

MOST_BITS = 400
"""Machines that are offered by name."""


def save_plane(
    regions: Regions,
    points: Points,
    look: Look,
    *,
    titles: Sequence[str],
    classes: Sequence[str],
    key: str,
) -> None:
    """Offer to save a plane: its regions, where decoders differ, or the two sides of one machine.

    Parameters
    ----------
    regions, points
        Of the same plane.
    look
        What of it is on the screen.
    titles
        Of the decoders.
    classes
        Names.
    key
        Of the component.
    """
    if presenting():
        return

    def drawn(look: Look, title: str) -> Draw:
        def draw(theme: Theme, width: float) -> Figure:
            return plane_figure(regions, points, look, classes=classes, title=title, width=width, theme=theme)

        return draw

    own = look.decoder
    shown = {"Points" if look.undecided else f"Regions of {titles[own]}": look}
    if not look.undecided:
        if len(titles) > 1:
            shown["Where decoders differ"] = Look(own, differences=True, picked=look.picked)
        shown |= {
            f"Machine {b + 1}": Look(own, bit=b, picked=look.picked)
            for b in range(min(regions.n_bits, MOST_BITS))
        }
    tables = {"the points": partial(points_table, points, regions.plane, titles, classes)}
    if not look.undecided:
        tables["the cells of the plane"] = partial(cells_table, regions, titles, classes)
    offer_saving(
        {title: drawn(one, title) for title, one in shown.items()},
        key,
        file_name(key),
        tables=tables,
        texts=lambda: [titles, classes, regions.plane.names],
    )


def save_planes(
    regions: Regions,
    points: Points,
    tiles: Sequence[tuple[str, str]],
    *,
    classes: Sequence[str],
    own: int,
    key: str,
) -> None:
    """Offer to save a plane that many decided; `tiles` are title and note of each, `own` the one in bold."""
    if presenting():
        return
    titles = [title for title, _ in tiles]

    def draw(theme: Theme, width: float) -> Figure:
        return planes_figure(regions, points, tiles, classes=classes, own=own, width=width, theme=theme)

    offer_saving(
        draw,
        key,
        file_name(key),
        tables={
            "the cells of the plane": partial(cells_table, regions, titles, classes),
            "the points": partial(points_table, points, regions.plane, titles, classes),
        },
        texts=lambda: [tiles, classes],
    )


def save_code(code_matrix: AnyCode, rows: Rows, marks: Marks | None, *, title: str, key: str) -> None:
    """Offer to save a code matrix, with what the picked point makes of it."""
    if presenting():
        return

    def draw(theme: Theme, width: float) -> Figure:
        return code_figure(code_matrix, rows, marks, title=title, width=width, theme=theme)

    tables = {"the matrix": partial(code_table, code_matrix, rows)}
    offer_saving(draw, key, file_name(key), tables=tables, texts=lambda: [title, rows.names])
