"""A cable that can be pulled out: what connects to it reaches a server, until it is cut."""

import socket
import threading
from contextlib import suppress


class Cable:
    """Listens on a port of its own and passes everything on to another."""

    def __init__(self, port):
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._ends, self._lock, self._cut = set(), threading.Lock(), False
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self):
        """Break all connections and refuse new ones."""
        with self._lock:
            self._cut = True
            ends, self._ends = self._ends, set()
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self):
        """Let connections through again."""
        self._cut = False

    def close(self):
        """End for good."""
        self.cut()
        self._listener.close()

    def _listen(self):
        while True:
            try:
                here, _ = self._listener.accept()
            except OSError:  # closed
                return
            threading.Thread(target=self._connect, args=(here,), daemon=True).start()

    def _connect(self, here):
        with here, suppress(OSError), socket.create_connection(("127.0.0.1", self._to)) as there:
            with self._lock:
                if self._cut:
                    return
                self._ends |= {here, there}
            back = threading.Thread(target=self._pass_on, args=(there, here), daemon=True)
            back.start()
            self._pass_on(here, there)
            back.join()

    @staticmethod
    def _pass_on(source, target):
        with suppress(OSError):
            while data := source.recv(65_536):
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
