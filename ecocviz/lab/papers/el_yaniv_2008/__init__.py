"""El-Yaniv, Pechyony, Yom-Tov (2008): many classes by one binary machine."""

from ecocviz.engine.references import EL_YANIV_2008
from ecocviz.lab.evidence.entries import Paper
from ecocviz.lab.papers.el_yaniv_2008.exhibits import CONTROL, TABLE_1, TABLE_2, WEIGHTS

PAPER = Paper(
    key="el-yaniv-2008",
    title="One binary machine for all classes",
    reference=EL_YANIV_2008,
    exhibits=(TABLE_1, TABLE_2, CONTROL, WEIGHTS),
    order=50,
)
