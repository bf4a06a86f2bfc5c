"""Children of the supervisor: groups of their own, and one session, in which stepping back counts."""

import asyncio
import os

from ecocviz.serving.children import start_child


def test_a_child_has_a_group_of_its_own_in_its_parents_session():
    async def look():
        child = await start_child(["sleep", "60"])
        try:
            return os.getpgid(child.pid) == child.pid, os.getsid(child.pid)
        finally:
            await child.stop()

    # Linux shares processors among sessions before it looks at who steps back behind whom.
    assert asyncio.run(look()) == (True, os.getsid(0))
