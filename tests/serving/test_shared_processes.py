"""A server with an access code: several real processes behind both fronts, of a small app."""

import http.client
import json
import signal
import socket
import threading
from contextlib import ExitStack

import psutil
import pytest
from serving_tools import FRONTS, supervised
from waiting import until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from ecocviz.serving.addresses import LOOPBACK, free_port

pytestmark = pytest.mark.thorough
CODE = "swordfish"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}


class Shared:
    """A server with a code, seen from outside."""

    def __init__(self, served, code_file, operator_port):
        self.served, self.code_file, self.operator_port = served, code_file, operator_port

    def ask(self, path="/", **more):
        return self.served.ask(path, headers={"Accept": "text/html"} | more.pop("headers", {}), **more)

    def type(self, code, path="/", address=None, **headers):
        """Send the form; return status, place and the pass."""
        said = FORM | headers | ({"X-Forwarded-For": address} if address else {})
        connection = http.client.HTTPConnection(LOOPBACK, self.served.port, timeout=20)
        try:
            connection.request("POST", path, body=f"code={code}", headers=said)
            answer = connection.getresponse()
            answer.read()
            given = answer.headers.get_all("Set-Cookie") or []
            found = [one.partition(";")[0] for one in given if one.startswith("ecocviz_pass=")]
            return answer.status, answer.headers["Location"], found[0] if found else None
        finally:
            connection.close()

    def opened(self):
        """Open the access page with a new browser; return its cookie."""
        given = self.ask()[3].get_all("Set-Cookie")
        return next(one.partition(";")[0] for one in given if one.startswith("ecocviz_browser="))

    def status(self, host="127.0.0.1"):
        connection = http.client.HTTPConnection(LOOPBACK, self.operator_port, timeout=20)
        try:
            connection.request("GET", "/status.json", headers={"Host": host})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


@pytest.fixture(params=FRONTS, scope="module")
def shared(request, tmp_path_factory):
    file = tmp_path_factory.mktemp("code") / "code"
    file.touch(mode=0o600)
    file.write_text(CODE)
    port = free_port()
    with supervised(request.param, str(file), str(port)) as served:
        yield Shared(served, file, port)


def test_nobody_passes_without_the_code(shared):
    for cookie in (None, "p0", "p1"):
        status, _, body, _ = shared.ask("/bits?v=1", cookie=cookie)
        assert (status, b"Access code" in body) == (401, True)
        with pytest.raises(InvalidStatus) as refused:
            shared.served.socket(cookie)
        assert refused.value.response.status_code == 403
    assert shared.ask("/_stcore/health")[0] == 200


def test_a_pass_is_good_in_all_processes(shared):
    status, place, found = shared.type(CODE, "/bits?v=1&data=iris")
    assert (status, place) == (303, "/bits?v=1&data=iris")
    for process in ("p0", "p1"):
        headers = {"Cookie": f"ecocviz_process={process}; {found}"}
        status, _, body, _ = shared.ask("/", headers=headers)
        assert status == 200
        assert json.loads(body)["headers"]["x-forwarded-for"] == LOOPBACK
    with open_socket(shared, found) as stream:
        assert "pid" in json.loads(stream.recv())


def open_socket(shared, found):
    address = f"ws://{LOOPBACK}:{shared.served.port}/_stcore/stream"
    return connect(address, additional_headers={"Cookie": found}, proxy=None)


def test_one_address_may_hold_so_many_websockets(shared):
    _, _, found = shared.type(CODE)
    kept = f"{found}; ecocviz_process=p0"
    with ExitStack() as opened:
        for _ in range(4):
            opened.enter_context(open_socket(shared, kept)).recv()
        with pytest.raises(InvalidStatus) as refused:
            open_socket(shared, kept)
        assert refused.value.response.status_code == 403
    until(lambda: may_open(shared, kept))


def may_open(shared, kept):
    try:
        with open_socket(shared, kept):
            return True
    except InvalidStatus:
        return False


def test_whoever_guesses_waits_and_all_processes_count_together(shared):
    """The test is a believed proxy, so it speaks for others; what it did not append is not believed."""
    browser = shared.opened()
    for number in range(10):
        cookie = f"{browser}; ecocviz_process=p{number % 2}"
        status, _, _ = shared.type("a guess", address=f"10.0.0.{number}, 192.0.2.99", Cookie=cookie)
        assert status == (401 if number < 9 else 429)
    assert shared.type(CODE, address="192.0.2.99", Cookie=browser)[0] == 429
    assert shared.type(CODE, address="192.0.2.98", Cookie=browser)[0] == 303
    assert json.loads(shared.status()[1])["refused_codes"] >= 11


def test_whoever_guesses_keeps_out_nobody_at_his_address(shared):
    """Five guesses a second without cookies, and five with those of a new browser each."""
    finished, tries = threading.Event(), []

    def guess(open_first):
        while not finished.wait(0.2):
            mark = {"Cookie": shared.opened()} if open_first else {}
            tries.append(shared.type("a guess", address="192.0.2.97", **mark)[0])

    guessers = [threading.Thread(target=guess, args=(open_first,)) for open_first in (False, True)]
    for guesser in guessers:
        guesser.start()
    try:
        until(lambda: len(tries) > 4)
        for _ in range(3):
            assert shared.type(CODE, address="192.0.2.97", Cookie=shared.opened())[0] == 303
    finally:
        finished.set()
        for guesser in guessers:
            guesser.join()
    assert set(tries) == {401}


def test_the_pass_is_secure_where_a_believed_proxy_speaks_https(shared):
    connection = http.client.HTTPConnection(LOOPBACK, shared.served.port, timeout=20)
    connection.request("POST", "/", body=f"code={CODE}", headers=FORM | {"X-Forwarded-Proto": "https"})
    given = connection.getresponse().headers.get_all("Set-Cookie")
    connection.close()
    (kept,) = [one for one in given if one.startswith("ecocviz_pass=")]
    assert kept.endswith("; Secure")


def test_a_link_of_many_characters_keeps_its_place(shared):
    link = f"/code_matrix?v=1&coding.matrix={'A' * 40_000}"
    assert shared.type(CODE, link)[:2] == (303, link)


def test_the_operator_sees_both_processes_and_nobody_else_does(shared):
    def both():
        told = json.loads(shared.status()[1])
        return len([one for one in told["processes"] if one["state"] == "serving"]) == 2 and told

    told = until(both)
    assert told["total"]["sessions"] == 4
    assert (told["total"]["runs"], told["total"]["p50_ms"], told["total"]["p95_ms"]) == (4, 20.0, 40.0)
    assert told["total"]["rss_bytes"] > 20_000_000
    assert {one["kind"] for one in told["errors"]} == {"ValueError"}
    assert shared.status("class.example")[0] == 421
    assert shared.ask("/status.json")[0] == 401
    listening = {
        (one.laddr.ip, one.laddr.port)
        for one in psutil.Process(shared.served.process.pid).net_connections()
        if one.status == psutil.CONN_LISTEN
    }
    assert (LOOPBACK, shared.operator_port) in listening
    assert {address for address, port in listening if port == shared.operator_port} == {LOOPBACK}


def test_no_secret_stands_on_a_command_line(shared):
    for process in [psutil.Process(shared.served.process.pid), *shared.served.family()]:
        assert CODE not in " ".join(process.cmdline())
    apps = [psutil.Process(pid) for pid in shared.served.apps()]
    assert all(CODE not in value for app in apps for value in app.environ().values())


def test_a_new_code_is_read_when_asked_and_old_passes_are_void(shared):
    _, _, old = shared.type(CODE)
    before = shared.served.apps()
    shared.code_file.write_text("another code")
    try:
        shared.served.process.send_signal(signal.SIGHUP)
        _, _, new = until(lambda: (given := shared.type("another+code"))[0] == 303 and given)
        for process in ("p0", "p1"):  # replaced or not
            kept = {"Cookie": f"{new}; ecocviz_process={process}"}
            until(lambda kept=kept: shared.ask("/", headers=kept)[0] == 200)
            assert shared.ask("/", headers={"Cookie": f"{old}; ecocviz_process={process}"})[0] == 401
        until(lambda: len(shared.served.apps()) == 2 and not shared.served.apps() & before, 30)
        assert shared.ask("/", headers={"Cookie": old})[0] == 401
        assert shared.type(CODE)[0] == 401
        assert shared.type("another+code")[0] == 303
        before = shared.served.apps()
        shared.code_file.write_text("short")  # no code: the one before stays
        shared.served.process.send_signal(signal.SIGHUP)
        until(lambda: len(shared.served.apps()) == 2 and not shared.served.apps() & before, 30)
        assert shared.type("another+code")[0] == 303
    finally:
        shared.code_file.write_text(CODE)


@pytest.mark.parametrize("front", FRONTS)
def test_a_code_that_cannot_be_read_starts_nothing(front, tmp_path):
    with supervised(front, str(tmp_path / "none"), str(free_port()), ready=False) as served:
        output = served.process.communicate(timeout=20)[0]
        assert served.process.returncode == 1
    assert "ecocviz: The file of the access code" in output
    assert "Traceback" not in output


def test_an_operators_port_that_is_taken_is_one_sentence(tmp_path):
    file = tmp_path / "code"
    file.touch(mode=0o600)
    file.write_text(CODE)
    with socket.create_server((LOOPBACK, 0)) as other:
        port = other.getsockname()[1]
        with supervised("python", str(file), str(port), ready=False) as served:
            output = served.process.communicate(timeout=20)[0]
            assert served.process.returncode == 1
    assert f"ecocviz: The operator's page cannot be at port {port}" in output
