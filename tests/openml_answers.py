"""OpenML's own answers, as scikit-learn stores them for its tests, given to whoever asks OpenML."""

import gzip
import io
import re
import urllib.error
import urllib.request
from contextlib import contextmanager
from email.message import Message
from pathlib import Path

import sklearn

from ecocviz.data import openml_network

STORED = Path(sklearn.__file__).parent / "datasets" / "tests" / "data" / "openml"
NAMES = (
    (r"api/v1/json/data/(\d+)", "api-v1-jd-{}.json.gz"),
    (r"api/v1/json/data/features/(\d+)", "api-v1-jdf-{}.json.gz"),
    (r"api/v1/json/data/qualities/(\d+)", "api-v1-jdq-{}.json.gz"),
    (r"data/v1/download/(\d+)/.*", "data-v1-dl-{}.arff.gz"),
)


class Answers:
    """Answers requests like OpenML, and notes them; `fail` answers with an error instead."""

    def __init__(self, data_id):
        self.folder = STORED / f"id_{data_id}"
        self.asked, self.fail, self.changed = [], None, {}

    def https_open(self, request):
        path = request.full_url.partition("openml.org/")[2]
        self.asked.append(path)
        if self.fail is not None:
            raise self.fail(path)
        for pattern, name in NAMES:
            found = re.fullmatch(pattern, path)
            if found:
                return self.answer(request, self.folder / name.format(found[1]))
        raise AssertionError(path)

    def answer(self, request, file):
        if not file.is_file():
            raise urllib.error.HTTPError(
                request.full_url, 412, "Precondition Failed", Message(), io.BytesIO()
            )
        content = self.changed.get(file.name, gzip.decompress(file.read_bytes()))
        answered = urllib.request.addinfourl(io.BytesIO(content), Message(), request.full_url, 200)
        answered.msg = "OK"
        return answered


class _Handler(urllib.request.HTTPSHandler):
    def __init__(self, answers):
        super().__init__()
        self.https_open = answers.https_open


@contextmanager
def answering(data_id):
    """Let the guarded opener ask these answers in place of the network."""
    answers, handler = Answers(data_id), urllib.request.HTTPSHandler
    urllib.request.HTTPSHandler = lambda: _Handler(answers)
    openml_network.guard.cache_clear()
    openml_network.guard()
    try:
        yield answers
    finally:
        urllib.request.HTTPSHandler = handler
        openml_network.guard.cache_clear()
        openml_network.guard()


def error(code):
    """An HTTP error of OpenML."""
    return lambda path: urllib.error.HTTPError(path, code, "message\nof two lines", Message(), io.BytesIO())
