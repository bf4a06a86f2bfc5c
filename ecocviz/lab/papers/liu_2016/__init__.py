"""Liu et al. (2016): machines of a code trained jointly, against support vector machines."""

from ecocviz.engine.references import LIU_2016
from ecocviz.lab.evidence.entries import Paper
from ecocviz.lab.papers.liu_2016.bits import FIGURE_2, FIGURE_3
from ecocviz.lab.papers.liu_2016.tables import CONTROL, EXHIBIT_2, EXHIBIT_3
from ecocviz.lab.papers.liu_2016.weights import FIGURE_1

PAPER = Paper(
    key="liu-2016",
    title="Joint learning of all machines",
    reference=LIU_2016,
    exhibits=(FIGURE_1, EXHIBIT_2, CONTROL, EXHIBIT_3, FIGURE_2, FIGURE_3),
    order=40,
)
