"""Which hosts a server answers to, at whatever it listens; what may be allowed besides."""

import pytest
from asgi_tools import answered, scope_of

from ecocviz.serving import hosts
from ecocviz.serving.addresses import LOOPBACK
from ecocviz.serving.hosts import ALLOWED, Hosts, allow, turn_away

OWN = ["127.0.0.1", "192.168.0.7", "169.254.3.4", "fd00::2", "fe80::1%eth0"]
ALL, ALL_6 = "0.0.0.0", "::"  # noqa: S104 - nothing listens


@pytest.fixture(autouse=True)
def own(monkeypatch):
    found = [*OWN]
    monkeypatch.setattr(hosts, "all_addresses", lambda: found)
    return found


def known(host, listens=LOOPBACK, names=""):
    return Hosts(listens, {ALLOWED: names}).know(scope_of(host=host))


@pytest.mark.parametrize("listens", [LOOPBACK, ALL, ALL_6, "192.168.0.7"])
@pytest.mark.parametrize(
    "host", ["localhost:8501", "LocalHost.", "127.0.0.1:1", "127.3.2.1", "[::1]:80", "a.localhost"]
)
def test_this_computer_may_always_ask(host, listens):
    assert known(host, listens)


@pytest.mark.parametrize("listens", [LOOPBACK, ALL, ALL_6, "192.168.0.7"])
@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8501", "localhost.example", "127.0.0.1.example", ""),
        *("192.168.0.7.example", "192.168.0.8", "a@localhost", "localhost@evil.example", "[::1"),
        *("é", "localhost/x", "[fd00::3]"),
    ],
)  # fmt: skip
def test_a_name_that_somebody_else_may_have_made_up_is_refused(host, listens):
    assert not known(host, listens)


@pytest.mark.parametrize(
    ("listens", "host", "may"),
    [
        (ALL, "192.168.0.7:8501", True),
        (ALL, "169.254.3.4", True),
        (ALL, "0.0.0.0:8501", True),
        (ALL, "[fd00::2]", False),
        (ALL_6, "[fd00::2]:8501", True),
        (ALL_6, "[::ffff:192.168.0.7]", True),
        ("192.168.0.7", "192.168.0.7", True),
        (LOOPBACK, "192.168.0.7", False),
        (LOOPBACK, ALL, False),
    ],
)
def test_a_room_asks_for_the_address_that_the_server_listens_on(listens, host, may):
    assert known(host, listens) == may


def test_names_that_are_allowed_are_those_and_no_others():
    names = "Course.example 203.0.113.9"
    assert known("course.EXAMPLE:443", names=names) and known("203.0.113.9", names=names)
    assert not known("sub.course.example", names=names) and not known("example", names=names)


def test_addresses_that_come_later_are_found(own):
    server = Hosts(ALL, {})
    assert not server.know(scope_of(host="10.0.0.7"))
    own.append("10.0.0.7")
    server._until = 0.0  # some seconds later
    assert server.know(scope_of(host="10.0.0.7"))


def test_names_are_handed_to_what_is_started():
    environ = {ALLOWED: "one.example"}
    allow(["two.example", "::1", "one.example"], environ)
    assert environ[ALLOWED] == "one.example two.example ::1"
    for wrong in ("https://course.example", "course.example:8501", "*", "a b", ".", "a" * 300):
        with pytest.raises(ValueError, match="no name of a host; --allow-host and ECOCVIZ_ALLOW_HOST take"):
            allow([wrong], {})


def test_who_is_refused_is_told_what_to_do():
    async def app(scope, _receive, send):
        await turn_away(scope, send)

    status, _, text = answered(app, scope_of(host="course.example:80"))
    assert status == 421
    assert "--allow-host course.example (or ECOCVIZ_ALLOW_HOST=course.example)" in text
    assert "<" not in answered(app, scope_of(host="<b>"))[2]
