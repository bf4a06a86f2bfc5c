"""Sentences about points that are left undecided."""

from collections.abc import Sequence

from ecocviz.engine.analysis.rejecting import Decided
from ecocviz.lab.scenario import Scenario
from ecocviz.views.decoders.rejection import Rejection
from ecocviz.views.shared.draw.words import count, percent


def share_sentence(found: Sequence[Rejection], share: int) -> str:
    """Say what the first decoder, and the best, get wrong when so many percent are left undecided."""
    margin = [each for each in found if each.repairs is None]
    first, curve = margin[0], margin[0].curve
    step = curve.at(share / 100)
    gone = int(curve.n_rejected[step])
    if gone:
        said = (
            f"With the {count(gone, 'most doubtful point')} left undecided, {first.name} has "
            f"{percent(int(curve.n_wrong[step]), curve.n - gone)} of the others wrong, in place of "
            f"{percent(int(curve.n_wrong[0]), curve.n)} of all."
        )
    else:
        alike = percent(int(curve.n_rejected[min(1, curve.n_rejected.size - 1)]), curve.n)
        said = (
            f"{first.name} doubts {alike} of the points alike, so it cannot leave just {share} % undecided."
        )
    errors = {each.name: float(each.curve.errors[each.curve.at(share / 100)]) for each in margin}
    best = min(errors, key=lambda name: errors[name])
    if errors[best] >= errors[first.name]:
        return said
    return f"{said} {best} has {100 * errors[best]:.1f} % wrong then."


def option_sentence(scenario: Scenario, name: str, option: Decided | None) -> str:
    """Say what comes of the points that the scenario itself leaves undecided, or how to leave some.

    Parameters
    ----------
    scenario
        Its rule.
    name
        Of its decoder.
    option
        What comes of it; None where every point is decided.
    """
    if option is None:
        return "Doubtful points, under Decoder in the sidebar, makes this a part of the scenario."
    rule, n, gone = scenario.rejecting, int(option.n), int(option.n_rejected)
    asked = f", share {rule.values['share']:g}" if "share" in rule.values else ""
    first = f"As chosen in the sidebar (by {rule.key}{asked}), {name} leaves {percent(gone, n)} undecided"
    if option.error is None:
        return f"{first}."
    return f"{first}, and {percent(int(option.n_wrong), n - gone)} of the others wrong."


def syndrome_sentence(found: Sequence[Rejection]) -> str:
    """Say what the code's own rule does; "" where there is none."""
    each = next((each for each in found if each.repairs is not None), None)
    if each is None or each.repairs is None:
        return ""
    if each.repairs < 0:
        return "Some classes of this code have the same word, so no received word is safely near to one."
    curve, step = each.curve, each.promised
    gone = int(curve.n_rejected[step])
    left = curve.n - gone
    rule = f"By distance: only words with at most {count(each.repairs, 'bit')} off are decided"
    if not left:
        return f"{rule}; no point has one."
    return (
        f"{rule}. That leaves {percent(gone, curve.n)} undecided, and "
        f"{percent(int(curve.n_wrong[step]), left)} of the others wrong."
    )
