"""What can be listened on, and the sentence where it cannot."""

import socket

import pytest

from ecocviz.serving.addresses import LOOPBACK, free_port, resolve, why_not


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("::", "::")],  # noqa: S104 - nothing is bound
)
def test_a_host_becomes_an_address(host, address):
    assert resolve(host) == address


@pytest.mark.parametrize(
    "host", ["no such host", "nowhere.invalid", "300.1.1.1", "a" * 300, "x\x00y", "\udcff"]
)
def test_a_host_that_does_not_exist_is_one_sentence(host):
    with pytest.raises(
        ValueError, match=r"^There is no host .*; give an address of this computer, [^\n]*\.$"
    ):
        resolve(host)


def test_an_address_of_another_computer_is_one_sentence():
    assert why_not("192.0.2.7", 8501) == (
        "192.0.2.7 is not an address of this computer; 0.0.0.0 stands for all of its own."
    )


def test_a_port_is_free_or_in_use():
    port = free_port()
    assert why_not(LOOPBACK, port) is None
    with socket.create_server((LOOPBACK, 0)) as given:
        assert port < min(32_768, given.getsockname()[1])  # so that it stays free until it is listened on
    with socket.create_server((LOOPBACK, port)):
        assert f"Port {port} is in use by another program" in why_not(LOOPBACK, port)
        assert f"Port {port} is in use by another program" in why_not("0.0.0.0", port)  # noqa: S104 - only asked
