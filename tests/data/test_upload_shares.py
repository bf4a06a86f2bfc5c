"""Who gives for a new upload: nobody's file goes while its owner holds less than who brings the new one."""

from hypothesis import given
from hypothesis import strategies as st

from ecocviz.data.upload_shares import NOBODY, given_up
from ecocviz.data.upload_store import ALIVE_SECONDS, Kept

AT = 1_000_000.0


def kept(number, used, size, *owners, gone=()):
    seen = dict.fromkeys(owners, AT) | dict.fromkeys(gone, AT - 2 * ALIVE_SECONDS)
    return Kept(f"{number:032x}", used, (("train", 0, size),), seen)


def names(given):
    return [(owner, int(kept.name, 16)) for owner, kept in given]


def test_nothing_goes_where_there_is_room():
    found = [kept(1, 5, 40, "a"), kept(2, 6, 40, "b"), kept(3, AT, 20, "a")]
    assert given_up(found, "a", found[2].name, share=60, room=100, at=AT) == []


def test_one_who_brings_much_gives_only_what_is_their_own():
    found = [kept(k, k, 10, "greedy") for k in range(1, 21)]
    found += [kept(100, 0, 30, "quiet"), kept(101, 0, 5, "other"), kept(200, AT, 10, "greedy")]
    given = given_up(found, "greedy", found[-1].name, share=60, room=500, at=AT)
    assert names(given) == [("greedy", k) for k in range(1, 16)]  # the oldest, until 60 bytes are left


def test_whoever_has_most_gives_first_and_what_nobody_there_has_brought_counts_together():
    found = [
        kept(1, 3, 30, gone=["left"]),
        kept(2, 2, 20, gone=["left too"]),
        kept(3, 1, 40, "b"),
        kept(9, AT, 20, "a"),
    ]
    assert names(given_up(found, "a", found[-1].name, share=60, room=100, at=AT)) == [(NOBODY, 2)]
    assert names(given_up(found, "a", found[-1].name, share=60, room=85, at=AT)) == [(NOBODY, 2), ("b", 3)]


def test_what_has_no_room_without_injustice_is_refused():
    found = [kept(k, k, 20, f"owner {k}") for k in range(5)] + [kept(9, AT, 25, "a")]
    assert given_up(found, "a", found[-1].name, share=60, room=100, at=AT) is None
    assert given_up(found, "a", found[-1].name, share=24, room=900, at=AT) is None
    smaller = [*found[:-1], kept(9, AT, 15, "a")]
    assert names(given_up(smaller, "a", smaller[-1].name, share=60, room=100, at=AT)) == [("owner 0", 0)]


def test_what_two_have_brought_goes_when_both_have_given_it_up():
    found = [kept(1, 1, 50, "a", "b"), kept(2, 2, 10, "b"), kept(9, AT, 20, "a")]
    assert names(given_up(found, "a", found[-1].name, share=60, room=500, at=AT)) == [("a", 1)]
    given = given_up(found, "a", found[-1].name, share=90, room=50, at=AT)
    assert names(given) == [("a", 1), ("b", 1)]


OWNERS = ("a", "b", "c", "d")


@st.composite
def folders(draw):
    files = draw(
        st.lists(
            st.tuples(st.integers(0, 50), st.integers(1, 40), st.sets(st.sampled_from(OWNERS), max_size=3)),
            max_size=12,
        )
    )
    found = [kept(k, used, size, *owners) for k, (used, size, owners) in enumerate(files)]
    owner = draw(st.sampled_from((NOBODY, *OWNERS)))
    new = kept(999, AT, draw(st.integers(1, 40)), *([owner] if owner else []))
    return [*found, new], owner, new.name


def held(found, owner):
    return sum(one.n_bytes for one in found if owner in (one.alive(AT) or [NOBODY]))


@given(folders(), st.integers(10, 120), st.integers(40, 400))
def test_no_session_loses_anything_to_one_who_holds_more(folder, share, room):
    found, owner, new = folder
    given = given_up(found, owner, new, share=share, room=room, at=AT)
    if given is None:
        return
    lost = {holder for holder, _ in given}
    left = {one.name: set(one.alive(AT)) or {NOBODY} for one in found}
    for holder, one in given:
        assert one.name != new
        # When it gave, it held at least as much as all others, and more than whoever brings the new one.
        now = [
            Kept(one.name, one.used, one.stamps, {who: AT for who in left[one.name] if who})
            for one in found
            if left[one.name]
        ]
        if holder != owner:
            assert held(now, holder) > held(now, owner)
        left[one.name].discard(holder)
    kept_now = [one for one in found if left[one.name]]
    assert sum(one.n_bytes for one in kept_now) <= room
    assert owner == NOBODY or sum(one.n_bytes for one in found if owner in left[one.name]) <= share
    for holder in set(OWNERS) - lost:
        assert all(holder in left[one.name] for one in found if holder in one.alive(AT))
