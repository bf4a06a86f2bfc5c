"""Whom this server is for: people who trust each other, or a shared one that strangers may reach.

`ecocviz serve --shared` sets it in the environment, for all processes that it starts.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

SHARED, OPENML = "ECOCVIZ_SHARED", "ECOCVIZ_OPENML"
_YES = frozenset({"1", "yes", "true", "on"})
HOUR, DAY = 3_600.0, 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What visitors may do.

    Attributes
    ----------
    shared
        Whether visitors do not know each other: what one brings no other finds without its link.
    openml
        Whether sets may be fetched from OpenML.
    upload_bytes
        Room for the uploads of one session.
    upload_seconds
        How long an upload is kept: shared, after its session has ended; else after it was last used.
    jobs
        Background computations of one session that may be under way or wait.
    memory_share
        The part of the room for large computations that one session may take.
    """

    shared: bool = False
    openml: bool = True
    upload_bytes: int = 200_000_000
    upload_seconds: float = 30 * DAY
    jobs: int = 40
    memory_share: float = 1.0


ALONE = Policy()
STRANGERS = Policy(
    shared=True, openml=False, upload_bytes=60_000_000, upload_seconds=HOUR, jobs=12, memory_share=0.5
)


def current_policy(environ: Mapping[str, str] = os.environ) -> Policy:
    """Return the policy that the environment sets.

    >>> current_policy({}).shared, current_policy({"ECOCVIZ_SHARED": "1"}).openml
    (False, False)
    >>> current_policy({"ECOCVIZ_SHARED": "1", "ECOCVIZ_OPENML": "1"}).openml
    True
    """
    policy = STRANGERS if _says_yes(environ, SHARED, default=False) else ALONE
    openml = _says_yes(environ, OPENML, default=policy.openml)
    return replace(policy, openml=openml)


def _says_yes(environ: Mapping[str, str], name: str, *, default: bool) -> bool:
    text = environ.get(name, "").strip().lower()
    return text in _YES if text else default
