"""What stands before Streamlit in an app process: guards, door, crowd, a hint, ears, our style, files."""

from starlette.middleware import Middleware

from ecocviz.data.policy import current_policy
from ecocviz.serving.crowd import Crowd, Full
from ecocviz.serving.door import Door
from ecocviz.serving.handed import Handed
from ecocviz.views.shared.app import run_handover
from ecocviz.views.shared.app.files import KeptFiles
from ecocviz.views.shared.app.first_paint import FirstPaint
from ecocviz.views.shared.app.headers import Guards
from ecocviz.views.shared.app.hearing import Hearing
from ecocviz.views.shared.app.telling import begin_telling


def begin(handed: Handed) -> None:
    """Begin what goes on beside the requests."""
    run_handover.install()
    if handed.desk:
        begin_telling(handed.desk)


def middleware(handed: Handed) -> list[Middleware]:
    """Return it, from the outside to the inside, as a process needs it that was handed this."""
    stack = [Middleware(Guards)]
    if handed.key is not None:
        stack.append(Middleware(Door, handed))
    if current_policy().shared:
        stack.append(Middleware(Crowd, handed))
    stack.append(Middleware(Full))  # behind those that refuse
    if handed.desk:
        stack.append(Middleware(Hearing))
    return [*stack, Middleware(FirstPaint), Middleware(KeptFiles)]
