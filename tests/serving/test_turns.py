"""Turns: in what order clients have theirs, who gives when too many wait, what leaving costs."""

import asyncio

from ecocviz.serving.turns import Turns


def played(comers, most=100, leaves=()):
    """Let clients come while another has its turn; return the order of turns, and who had none."""

    async def play():
        turns, order = Turns(0.0, most), []

        async def come(who):
            order.append(who if await turns.wait(who[0]) else f"no {who}")

        await turns.wait("first")
        tasks = {who: asyncio.create_task(come(who)) for who in comers}
        await asyncio.sleep(0)
        for who in leaves:
            tasks[who].cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        return order

    return asyncio.run(play())


def test_clients_have_their_turns_in_turn():
    assert played(["a1", "a2", "a3", "b1", "c1", "c2"]) == ["a1", "b1", "c1", "a2", "c2", "a3"]


def test_who_has_most_waiting_gives():
    assert played(["a1", "a2", "a3", "b1"], most=3) == ["no a3", "a1", "b1", "a2"]
    assert played(["a1", "b1", "c1", "d1"], most=3) == ["no d1", "a1", "b1", "c1"]


def test_who_leaves_takes_no_turn_and_holds_up_nobody():
    assert played(["a1", "a2", "b1"], leaves=["a1"]) == ["b1", "a2"]  # its line had its turn
