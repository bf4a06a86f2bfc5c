"""The papers, each under the short key that docstrings cite as `[Key]_`."""

import re
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

    @property
    def short(self) -> str:
        """Family names and year, as text cites it.

        >>> PASSERINI_2004.short, LIU_2005.short
        ('Passerini et al. 2004', 'Liu and Zheng 2005')
        """
        names = [re.sub(r"^(?:[A-Z]\.[ -]?)+", "", author) for author in self.authors.split(", ")]
        who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        return f"{who} {self.year}"


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
JOACHIMS_1999 = Reference(
    "Joachims1999",
    "T. Joachims",
    "Making large-scale support vector machine learning practical",
    "In: B. Schölkopf, C. Burges, A. Smola (eds.), Advances in Kernel Methods, MIT Press",
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
PUJOL_2006 = Reference(
    "Pujol2006",
    "O. Pujol, P. Radeva, J. Vitrià",
    "Discriminant ECOC: a heuristic method for application dependent design of error correcting output codes",
    "IEEE Transactions on Pattern Analysis and Machine Intelligence 28(6)",
    2006,
)
TORKKOLA_2003 = Reference(
    "Torkkola2003",
    "K. Torkkola",
    "Feature extraction by non-parametric mutual information maximization",
    "Journal of Machine Learning Research 3",
    2003,
)
PUDIL_1994 = Reference(
    "Pudil1994",
    "P. Pudil, J. Novovičová, J. Kittler",
    "Floating search methods in feature selection",
    "Pattern Recognition Letters 15(11)",
    1994,
)
ESCALERA_LIBRARY_2010 = Reference(
    "EscaleraLibrary2010",
    "S. Escalera, O. Pujol, P. Radeva",
    "Error-correcting output codes library",
    "Journal of Machine Learning Research 11",
    2010,
)
ESCALERA_2007 = Reference(
    "Escalera2007",
    "S. Escalera, O. Pujol, P. Radeva",
    "Boosted landmarks of contextual descriptors and Forest-ECOC: a novel framework to detect and classify "
    "objects in cluttered scenes",
    "Pattern Recognition Letters 28(13)",
    2007,
)
PUJOL_2008 = Reference(
    "Pujol2008",
    "O. Pujol, S. Escalera, P. Radeva",
    "An incremental node embedding technique for error correcting output codes",
    "Pattern Recognition 41(2)",
    2008,
)
ZHONG_2012 = Reference(
    "Zhong2012",
    "G. Zhong, K. Huang, C.-L. Liu",
    "Joint learning of error-correcting output codes and dichotomizers from data",
    "Neural Computing and Applications 21",
    2012,
)
ESCALERA_2008 = Reference(
    "Escalera2008",
    "S. Escalera, D. M. J. Tax, O. Pujol, P. Radeva, R. P. W. Duin",
    "Subclass problem-dependent design for error-correcting output codes",
    "IEEE Transactions on Pattern Analysis and Machine Intelligence 30(6)",
    2008,
)
HATAMI_2012 = Reference(
    "Hatami2012",
    "N. Hatami",
    "Thinned-ECOC ensemble based on sequential code shrinking",
    "Expert Systems with Applications 39(1)",
    2012,
)
DUDA_1973 = Reference(
    "Duda1973",
    "R. O. Duda, P. E. Hart",
    "Pattern classification and scene analysis",
    "Wiley",
    1973,
)
KLOFT_2011 = Reference(
    "Kloft2011",
    "M. Kloft, U. Brefeld, S. Sonnenburg, A. Zien",
    "lp-norm multiple kernel learning",
    "Journal of Machine Learning Research 12",
    2011,
)
PLATT_2000 = Reference(
    "Platt2000",
    "J. Platt, N. Cristianini, J. Shawe-Taylor",
    "Large margin DAGs for multiclass classification",
    "Advances in Neural Information Processing Systems 12",
    2000,
)
HSIEH_2008 = Reference(
    "Hsieh2008",
    "C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi, S. Sundararajan",
    "A dual coordinate descent method for large-scale linear SVM",
    "International Conference on Machine Learning",
    2008,
)
WILLIAMS_2001 = Reference(
    "Williams2001",
    "C. K. I. Williams, M. Seeger",
    "Using the Nyström method to speed up kernel machines",
    "Advances in Neural Information Processing Systems 13",
    2001,
)
CHEN_2025 = Reference(
    "Chen2025",
    "Y. Chen, E. N. Epperly, J. A. Tropp, R. J. Webber",
    "Randomly pivoted Cholesky: practical approximation of a kernel matrix with few entry evaluations",
    "Communications on Pure and Applied Mathematics 78",
    2025,
)
DEMSAR_2006 = Reference(
    "Demsar2006",
    "J. Demšar",
    "Statistical comparisons of classifiers over multiple data sets",
    "Journal of Machine Learning Research 7",
    2006,
)
EVRON_2018 = Reference(
    "Evron2018",
    "I. Evron, E. Moroshko, K. Crammer",
    "Efficient loss-based decoding on graphs for extreme classification",
    "Advances in Neural Information Processing Systems 31",
    2018,
)
GUPTA_2021 = Reference(
    "Gupta2021",
    "S. Gupta, S. Amin",
    "Integer programming-based error-correcting output code design for robust classification",
    "Uncertainty in Artificial Intelligence",
    2021,
)
EVRON_2023 = Reference(
    "Evron2023",
    "I. Evron, O. Onn, T. Weiss Orzech, H. Azeroual, D. Soudry",
    "The role of codeword-to-class assignments in error-correcting codes: an empirical study",
    "International Conference on Artificial Intelligence and Statistics",
    2023,
)
NGUYEN_2021 = Reference(
    "Nguyen2021",
    "H. D. Nguyen, M. S. Khan, N. Kaegi, S.-S. Ho, J. Moore, L. Borys, L. Lavalva",
    "Ensemble learning using error correcting output codes: new classification error bounds",
    "IEEE International Conference on Tools with Artificial Intelligence",
    2021,
)
HOEFFDING_1963 = Reference(
    "Hoeffding1963",
    "W. Hoeffding",
    "Probability inequalities for sums of bounded random variables",
    "Journal of the American Statistical Association 58",
    1963,
)
PREKOPA_1988 = Reference(
    "Prekopa1988",
    "A. Prékopa",
    "Boole-Bonferroni inequalities and linear programming",
    "Operations Research 36(1)",
    1988,
)
SIMEONE_2012 = Reference(
    "Simeone2012",
    "P. Simeone, C. Marrocco, F. Tortorella",
    "Design of reject rules for ECOC classification systems",
    "Pattern Recognition 45(2)",
    2012,
)
CHOW_1970 = Reference(
    "Chow1970",
    "C. K. Chow",
    "On optimum recognition error and reject tradeoff",
    "IEEE Transactions on Information Theory 16(1)",
    1970,
)
