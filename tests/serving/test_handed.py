"""Who asks: believed from our own front and from named proxies, from nobody else."""

import pytest

from ecocviz.serving.handed import Client, Handed, read_networks, take

WORD = "the-word"


def asked(*forwarded, word=WORD, peer="127.0.0.1", proto=None):
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    headers += [(b"x-ecocviz-front", word.encode())] if word else []
    headers += [(b"x-forwarded-proto", proto.encode())] if proto else []
    return {"type": "http", "scheme": "http", "client": (peer, 5_000), "headers": headers}


@pytest.mark.parametrize(
    ("behind", "scope", "client"),
    [
        ((), asked("192.0.2.7"), Client("192.0.2.7", https=False)),
        (
            (),
            asked("10.9.9.9", "192.0.2.7"),
            Client("192.0.2.7", https=False),
        ),  # the first one is the browser's own
        ((), asked("10.9.9.9, 192.0.2.7", proto="https"), Client("192.0.2.7", https=False)),
        ((), asked("192.0.2.7", word=""), Client("127.0.0.1", https=False)),
        ((), asked("192.0.2.7", word="a guess"), Client("127.0.0.1", https=False)),
        ((), asked("192.0.2.7", word="", peer="192.0.2.9"), Client("127.0.0.1", https=False)),
        ((), asked(), Client("", https=False)),
        (("172.16.0.0/12",), asked("10.9.9.9, 192.0.2.7", "172.17.0.2"), Client("192.0.2.7", https=False)),
        (("172.16.0.0/12",), asked("192.0.2.7, 172.17.0.2", proto="https"), Client("192.0.2.7", https=True)),
        (("172.16.0.0/12",), asked("172.17.0.2", proto="https"), Client("172.17.0.2", https=True)),
        (
            ("127.0.0.1",),
            asked("192.0.2.7, ::ffff:127.0.0.1", proto="https"),
            Client("192.0.2.7", https=True),
        ),
        (("127.0.0.1",), asked("192.0.2.7", proto="https"), Client("192.0.2.7", https=False)),
        ((), asked("<b>"), Client("", https=False)),
    ],
)
def test_whom_a_request_is_from(behind, scope, client):
    assert Handed("desk", b"key", WORD, read_networks(behind)).client(scope) == client


def test_without_a_word_of_the_front_no_header_is_believed():
    scope = asked("192.0.2.7", word="", proto="https")
    assert Handed().client(scope) == Client("127.0.0.1", https=False)
    assert Handed().client(scope | {"scheme": "wss", "client": None}) == Client("", https=True)


def test_what_is_handed_over_arrives_and_is_taken_out_of_the_environment():
    handed = Handed("folder/desk", b"\x00key", WORD, read_networks(["10.0.0.0/8", "::1"]))
    environ = handed.environment() | {"HOME": "/root"}
    assert take(environ) == handed
    assert environ == {"HOME": "/root"}
    assert take(environ) == Handed()
    assert "key" not in repr(handed) and WORD not in repr(handed)


def test_what_is_no_network_is_one_sentence():
    with pytest.raises(
        ValueError, match=r"^'nginx' is no address and no network; write one like 10\.0\.0\.7"
    ):
        read_networks(["nginx"])
