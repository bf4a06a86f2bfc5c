"""Where a room finds the server: which addresses are offered, and whether it answers there."""

import http.server
import threading
from ipaddress import ip_address

import pytest
from waiting import until

from ecocviz.serving.addresses import LOOPBACK, free_port
from ecocviz.serving.reach import Place, Probes, answers, own_addresses, places, sentence

ROOM = "http://192.168.0.7:8501"
OWN = ("192.168.0.7", "fd00::2")


def test_own_addresses_are_those_that_others_can_use():
    for address in map(ip_address, own_addresses()):
        assert not address.is_loopback and not address.is_link_local


@pytest.mark.parametrize(
    ("here", "listens", "roots"),
    [
        ("http://127.0.0.1:8501", "0.0.0.0", [ROOM]),  # noqa: S104 - nothing is bound
        ("http://localhost:8501", "::", [ROOM, "http://[fd00::2]:8501"]),
        (ROOM, "0.0.0.0", [ROOM]),  # noqa: S104 - as above
        ("https://course.example", "127.0.0.1", ["https://course.example"]),
        ("https://course.example", "0.0.0.0", ["https://course.example", ROOM]),  # noqa: S104 - as above
        ("", "192.168.0.7", [ROOM]),
        ("http://127.0.0.1:8501", "127.0.0.1", ["http://127.0.0.1:8501"]),
        ("http://127.0.0.2:8501", "127.0.0.2", ["http://127.0.0.2:8501"]),
    ],
)
def test_the_address_that_the_room_reaches_comes_first(here, listens, roots):
    found = places(here, (listens, 8501), OWN)
    assert [place.root for place in found] == roots
    assert found[0].local == ("127." in roots[0])


def test_a_local_link_says_what_to_do():
    (place,) = places("http://localhost:8501", (LOOPBACK, 8501), OWN)
    assert "this computer only" in sentence(place, None)
    assert "make app HOST=0.0.0.0" in sentence(place, None)


@pytest.mark.parametrize(
    ("found", "said"), [(None, "Asking"), (True, "answers at this address"), (False, "does not answer")]
)
def test_what_a_test_has_found_is_said(found, said):
    assert said in sentence(Place(ROOM, ("192.168.0.7", 8501)), found)


def test_a_server_that_is_there_answers_and_one_that_is_not_does_not():
    class Health(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/_stcore/health" else 404)
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.HTTPServer((LOOPBACK, 0), Health) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        assert answers(LOOPBACK, server.server_port)
        server.shutdown()
        thread.join()
    assert not answers(LOOPBACK, free_port())


def test_a_page_never_waits_for_an_address():
    gate, clock, asked = threading.Event(), [0.0], []

    def ask(address, port):
        asked.append((address, port))
        return gate.wait(30)

    probes = Probes(ask, lambda: clock[0])
    assert probes.look("10.0.0.7", 80) is None and probes.look("10.0.0.7", 80) is None
    gate.set()
    until(lambda: probes.look("10.0.0.7", 80))
    assert asked == [("10.0.0.7", 80)]
    clock[0] = 31.0
    assert probes.look("10.0.0.7", 80) is None
    until(lambda: probes.look("10.0.0.7", 80))
    assert len(asked) == 2
