"""The papers, each under the short key that docstrings cite as `[Key]_`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """One publication."""

    key: str
    authors: str
    title: str
    where: str
    year: int

    def __str__(self) -> str:
        return f"{self.authors}: {self.title}. {self.where}, {self.year}."


PASSERINI_2004 = Reference(
    "Passerini2004",
    "A. Passerini, M. Pontil, P. Frasconi",
    "New results on error correcting output codes of kernel machines",
    "IEEE Transactions on Neural Networks 15(1)",
    2004,
)
LIU_2005 = Reference(
    "Liu2005",
    "Y. Liu, Y. F. Zheng",
    "One-against-all multi-class SVM classification using reliability measures",
    "International Joint Conference on Neural Networks",
    2005,
)
CRAMMER_2002 = Reference(
    "Crammer2002",
    "K. Crammer, Y. Singer",
    "On the learnability and design of output codes for multiclass problems",
    "Machine Learning 47",
    2002,
)
LIU_2016 = Reference(
    "Liu2016",
    "M. Liu, D. Zhang, S. Chen, H. Xue",
    "Joint binary classifier learning for ECOC-based multi-class classification",
    "IEEE Transactions on Pattern Analysis and Machine Intelligence 38(11)",
    2016,
)
EL_YANIV_2008 = Reference(
    "ElYaniv2008",
    "R. El-Yaniv, D. Pechyony, E. Yom-Tov",
    "Better multiclass classification via a margin-optimized single binary problem",
    "Pattern Recognition Letters 29",
    2008,
)
ALLWEIN_2000 = Reference(
    "Allwein2000",
    "E. L. Allwein, R. E. Schapire, Y. Singer",
    "Reducing multiclass to binary: a unifying approach for margin classifiers",
    "Journal of Machine Learning Research 1",
    2000,
)
DIETTERICH_1995 = Reference(
    "Dietterich1995",
    "T. G. Dietterich, G. Bakiri",
    "Solving multiclass learning problems via error-correcting output codes",
    "Journal of Artificial Intelligence Research 2",
    1995,
)
HASTIE_1998 = Reference(
    "Hastie1998",
    "T. Hastie, R. Tibshirani",
    "Classification by pairwise coupling",
    "Annals of Statistics 26(2)",
    1998,
)
ESCALERA_2010 = Reference(
    "Escalera2010",
    "S. Escalera, O. Pujol, P. Radeva",
    "On the decoding process in ternary error-correcting output codes",
    "IEEE Transactions on Pattern Analysis and Machine Intelligence 32(1)",
    2010,
)
PLATT_1999 = Reference(
    "Platt1999",
    "J. Platt",
    "Probabilistic outputs for support vector machines and comparisons to regularized likelihood methods",
    "Advances in Large Margin Classifiers",
    1999,
)
LIN_2007 = Reference(
    "Lin2007",
    "H.-T. Lin, C.-J. Lin, R. C. Weng",
    "A note on Platt's probabilistic outputs for support vector machines",
    "Machine Learning 68",
    2007,
)
FAN_2005 = Reference(
    "Fan2005",
    "R.-E. Fan, P.-H. Chen, C.-J. Lin",
    "Working set selection using second order information for training support vector machines",
    "Journal of Machine Learning Research 6",
    2005,
)
FRANK_2001 = Reference(
    "Frank2001",
    "E. Frank, M. Hall",
    "A simple approach to ordinal classification",
    "European Conference on Machine Learning",
    2001,
)
FRANK_2004 = Reference(
    "Frank2004",
    "E. Frank, S. Kramer",
    "Ensembles of nested dichotomies for multi-class problems",
    "International Conference on Machine Learning",
    2004,
)
DONG_2005 = Reference(
    "Dong2005",
    "L. Dong, E. Frank, S. Kramer",
    "Ensembles of balanced nested dichotomies for multi-class problems",
    "Principles and Practice of Knowledge Discovery in Databases",
    2005,
)
LIN_2004 = Reference(
    "Lin2004",
    "S. Lin, D. J. Costello",
    "Error control coding",
    "Prentice Hall, second edition",
    2004,
)
PALEY_1933 = Reference(
    "Paley1933",
    "R. E. A. C. Paley",
    "On orthogonal matrices",
    "Journal of Mathematics and Physics 12",
    1933,
)
WU_2004 = Reference(
    "Wu2004",
    "T.-F. Wu, C.-J. Lin, R. C. Weng",
    "Probability estimates for multi-class classification by pairwise coupling",
    "Journal of Machine Learning Research 5",
    2004,
)
FRIEDMAN_1996 = Reference(
    "Friedman1996",
    "J. H. Friedman",
    "Another approach to polychotomous classification",
    "Technical report, Department of Statistics, Stanford University",
    1996,
)
STEINWART_2011 = Reference(
    "Steinwart2011",
    "I. Steinwart, D. Hush, C. Scovel",
    "Training SVMs without offset",
    "Journal of Machine Learning Research 12",
    2011,
)
