"""The file of the code, and passes: good ones, old ones, forged ones."""

import os

import pytest

from ecocviz.serving.passes import AGE_SECONDS, Passes, key_of, read_code


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "code"
    made.touch(mode=0o600)
    return made


def test_the_code_is_the_first_line(file):
    file.write_bytes("  schwertfisch ü 7 \nanother\n".encode())
    assert read_code(file) == "schwertfisch ü 7"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", r"has to be an access code of 6 to 200 characters; it has 0\.$"),
        (b"\nsecret-code\n", r"it has 0\.$"),
        (b"12345\n", r"it has 5\.$"),
        (b"12345678\n", r"guessed within days; use 9 digits, or letters too\.$"),
        (b"a" * 201, r"it has 201\.$"),
        (b"abc\x00defg", r"has to be an access code"),
        (b"\xff\xfeabcdefg", r"is not text in UTF-8\.$"),
    ],
)
def test_what_is_no_code_is_refused_in_one_sentence(file, content, sentence):
    file.write_bytes(content)
    with pytest.raises(ValueError, match=sentence):
        read_code(file)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(ValueError, match=r"^The file of the access code, .*, cannot be read: No such file"):
        read_code(tmp_path / "none")
    with pytest.raises(ValueError, match=r"cannot be read: Is a directory"):
        read_code(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="others have no such modes")
@pytest.mark.parametrize("mode", [0o644, 0o602, 0o666])
def test_a_file_that_everybody_reads_or_writes_is_refused(file, mode):
    file.write_text("secret-code")
    file.chmod(mode)
    with pytest.raises(ValueError, match=r"^Everybody on this computer can read or change .*: chmod 600 "):
        read_code(file)
    file.chmod(0o640)
    assert read_code(file) == "secret-code"


# Passes ----------------------------------------------------------------------------------------------


class Clock:
    now = 1_000_000.5

    def __call__(self):
        return self.now


def test_a_pass_is_good_until_it_is_old():
    clock = Clock()
    passes = Passes(b"key", clock)
    text = passes.make()
    assert passes.good(text)
    clock.now += AGE_SECONDS - 2
    assert passes.good(text)
    clock.now += 2
    assert not passes.good(text)


def test_a_pass_belongs_to_one_server_and_one_code():
    text = Passes(key_of(b"secret", "code one")).make()
    assert Passes(key_of(b"secret", "code one")).good(text)
    assert not Passes(key_of(b"secret", "code two")).good(text)
    assert not Passes(key_of(b"other", "code one")).good(text)


def test_a_forged_pass_is_none():
    clock = Clock()
    passes = Passes(b"key", clock)
    until, _, signature = passes.make().partition(".")
    later = str(int(until) + 1)
    forged = [
        "",
        ".",
        until,
        f"{later}.{signature}",
        f"{until}.",
        f"{until}.{signature[:-1]}",
        f"-1.{signature}",
    ]
    forged += [f"{until}.{signature}0", f"٣{until}.{signature}", f"{'9' * 400}.{signature}", f"{until}.é"]
    assert [text for text in forged if passes.good(text)] == []
    far = str(int(clock.now) + 10 * AGE_SECONDS)  # signed, but for longer than any pass is good
    assert not passes.good(f"{far}.{passes._sign(far)}")
