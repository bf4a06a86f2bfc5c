"""The records of the error curves, put together curve by curve."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ecocviz.data.catalogue import DATASETS
from ecocviz.lab.evidence.entries import Measured, grouped
from ecocviz.lab.papers.passerini_2004.curves import CODES, FLAGGED, LARGE, N_TEST, N_TRAIN, SMALL, WRONG


@dataclass(frozen=True, slots=True)
class Curve:
    """What was measured of one set and one code, by rising kernel width."""

    data: str
    code: str
    places: tuple[Measured, ...]

    @property
    def title(self) -> str:
        """The set and the code."""
        return f"{DATASETS[self.data].title}, {CODES[self.code]}"

    @property
    def exponents(self) -> list[int]:
        """The kernel widths, as powers of two."""
        return [place.cell.about["exponent"] for place in self.places]

    def errors(self, decoding: str) -> list[float]:
        """Test errors of a decoder in percent."""
        return [100 * place.record[WRONG][decoding] / place.record[N_TEST] for place in self.places]

    def bounds(self) -> list[float]:
        """Leave-one-out bounds of the likelihood decoder in percent."""
        return [100 * place.record[FLAGGED] / place.record[N_TRAIN] for place in self.places]

    def spread(self, decoding: str) -> float:
        """Points of test error between the best and the worst kernel width."""
        errors = self.errors(decoding)
        return max(errors) - min(errors)

    def chosen(self) -> int:
        """Position of the least bound; of equal ones the smallest width."""
        bounds = self.bounds()
        return bounds.index(min(bounds))

    def cost(self) -> float:
        """Points of test error lost by taking the width of the least bound."""
        errors = self.errors("likelihood")
        return errors[self.chosen()] - min(errors)

    def steps(self) -> int:
        """Doublings of the width from the nearest of the best to that of the least bound."""
        errors, exponents = self.errors("likelihood"), self.exponents
        best = [e for e, error in zip(exponents, errors, strict=True) if error == min(errors)]
        return min((exponents[self.chosen()] - e for e in best), key=abs)


def curves_of(found: Sequence[Measured], sets: Sequence[str] = (*SMALL, *LARGE)) -> Iterator[Curve]:
    """Put places together, set by set and code by code; what was not measured is left out."""
    places = grouped(sorted(found, key=lambda p: int(p.cell.about["exponent"])), "set", "code")
    for data, code in product(sets, CODES):
        if (data, code) in places:
            yield Curve(data, code, tuple(places[data, code]))
