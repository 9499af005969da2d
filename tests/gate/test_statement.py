"""Signed statements of the gate, and what CI makes of them without trusting the machine that signed."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.gate.yard import LOOPS, Make, Yard

REF = "refs/blueline/gate/"
ACTION = Path(__file__).parents[2] / "action"


def key(folder: Path, name: str) -> Path:
    place = folder / name
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"{name}@example.org", "-f", str(place)]
    subprocess.run(words, check=True)
    return place


def allowed(folder: Path, **people: Path) -> Path:
    place = folder / "allowed_signers"
    lines = [f"{n}@example.org {k.with_suffix('.pub').read_text()}" for n, k in people.items()]
    place.write_text("".join(lines))
    return place


@pytest.fixture
def ada(tmp_path: Path) -> Path:
    return key(tmp_path, "ada")


@pytest.fixture
def signed(yard: Yard, ada: Path) -> Yard:
    yard.put("a.md", "two\n")
    yard.open()
    said = yard.run("ship", "--json", "--key", str(ada), "--message", "two")
    assert said.document["statement"] == REF + yard.git("rev-parse", "HEAD^{tree}").strip()
    return yard


def elsewhere(yard: Yard, tmp_path: Path) -> Path:
    """A clone that knows nothing but what the remote has."""
    clone = tmp_path / "ci"
    subprocess.run(["git", "clone", "-q", str(yard.remote), str(clone)], check=True)
    fetch = ["git", "-C", str(clone), "fetch", "-q", "origin", f"{REF}*:{REF}*"]
    subprocess.run(fetch, check=True)
    return clone


def verify(yard: Yard, keys: Path, *words: str, folder: Path | None = None) -> tuple[int, dict[str, Any]]:
    said = yard.run("-C", str(folder or yard.root), "gate", "verify", *words, "--key", str(keys), "--json")
    return said.code, said.document


def test_what_was_shipped_is_verified_in_a_clone(signed: Yard, ada: Path, tmp_path: Path) -> None:
    clone = elsewhere(signed, tmp_path)
    for keys in (allowed(tmp_path, ada=ada), ada.with_suffix(".pub")):
        code, said = verify(signed, keys, "HEAD", folder=clone)
        assert (code, said["open"], said["signers"][0]["name"]) == (0, True, "ada@example.org")
        assert said["signers"][0]["key"].startswith("SHA256:")
    # A commit with the same bytes, however it came to be, is as good.
    commit = ["git", "-C", str(clone), "commit", "-q", "--amend", "-m", "another message"]
    subprocess.run(commit, check=True)
    assert verify(signed, ada.with_suffix(".pub"), "HEAD", folder=clone)[0] == 0


def test_the_statement_is_in_toto_in_an_envelope(signed: Yard) -> None:
    tree = signed.git("rev-parse", "HEAD^{tree}").strip()
    envelope = json.loads(signed.git("cat-file", "blob", REF + tree))
    assert (set(envelope), envelope["payloadType"]) == (
        {"payloadType", "payload", "signatures"},
        "application/vnd.in-toto+json",
    )
    document = json.loads(base64.b64decode(envelope["payload"]))
    assert document["_type"] == "https://in-toto.io/Statement/v1"
    assert document["subject"][0]["digest"] == {
        "gitTree": tree,
        "gitCommit": signed.git("rev-parse", "HEAD").strip(),
    }
    assert document["predicate"]["open"] is True


def test_other_bytes_other_keys_and_no_statement_are_closed(signed: Yard, ada: Path, tmp_path: Path) -> None:
    keys = allowed(tmp_path, ada=ada)
    assert verify(signed, allowed(tmp_path, eve=key(tmp_path, "eve")), "HEAD")[0] == 10
    keys = allowed(tmp_path, ada=ada)
    signed.put("a.md", "three\n")
    signed.commit("unreviewed")
    code, said = verify(signed, keys, "HEAD")
    assert (code, "no statement" in said["error"]) == (10, True)
    tree, old = (signed.git("rev-parse", f"{rev}^{{tree}}").strip() for rev in ("HEAD", "HEAD~1"))
    # Somebody's signature for another tree, put where this one's should be.
    signed.git("update-ref", REF + tree, REF + old)
    code, said = verify(signed, keys, "HEAD")
    assert (code, "another tree" in said["error"]) == (10, True)


@pytest.mark.parametrize("change", ["payload", "sig", "garbage", "type", "none", "closed"])
def test_an_envelope_that_was_touched_is_closed(signed: Yard, ada: Path, tmp_path: Path, change: str) -> None:
    tree = signed.git("rev-parse", "HEAD^{tree}").strip()
    envelope = json.loads(signed.git("cat-file", "blob", REF + tree))
    if change in ("payload", "closed"):
        payload = base64.b64decode(envelope["payload"])
        other = payload.replace(b"true", b"null" if change == "closed" else b"true ", 1)
        envelope["payload"] = base64.b64encode(other).decode()
    elif change == "sig":
        envelope["signatures"][0]["sig"] = envelope["signatures"][0]["sig"][:-8] + "AAAAAAA="
    elif change == "type":
        envelope["payloadType"] = "text/plain"
    elif change == "none":
        envelope["signatures"] = []
    text = "no JSON" if change == "garbage" else json.dumps(envelope)
    signed.put("out/envelope", text)
    blob = signed.git("hash-object", "-w", "out/envelope").strip()
    signed.git("update-ref", REF + tree, blob)
    assert verify(signed, allowed(tmp_path, ada=ada), "HEAD")[0] == 10


def test_a_closed_gate_is_not_signed(yard: Yard, ada: Path) -> None:
    assert yard.run("gate", "sign", "--key", str(ada)).code == 10
    assert yard.git("for-each-ref", "refs/blueline") == ""
    assert yard.run("gate", "sign", "--key", str(ada), CLAUDECODE="1").code == 1


def test_an_agent_that_ships_does_not_sign_for_the_person(yard: Yard, ada: Path) -> None:
    yard.put("a.md", "two\n")
    yard.open()
    said = yard.run("ship", "--json", "--key", str(ada), CLAUDECODE="1")
    assert (said.code, said.document["pushed"], said.document["statement"]) == (0, True, None)
    assert "claude-code may not sign" in " ".join(said.document["notes"])
    assert yard.git("for-each-ref", "refs/blueline") == ""


def test_qg13_an_override_is_in_the_statement_and_ends(
    yard: Yard, ada: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    yard.run("gate", "override", "--reason", "the site is down", "--expires", "2h")
    assert yard.run("gate", "sign", "--key", str(ada)).code == 0
    code, said = verify(yard, allowed(tmp_path, ada=ada))
    assert (code, said["override"]["reason"]) == (0, "the site is down")
    said_to_people = yard.run("gate", "verify", "--key", str(ada.with_suffix(".pub"))).out
    assert "the site is down" in said_to_people
    from blueline.gate import statement

    wish = statement.VerifyRequest("HEAD", ada.with_suffix(".pub"))
    with pytest.raises(statement.NotVerified, match="expired"):
        statement.verified(yard.root, wish, "2999", os.environ)


def test_qg12_the_author_and_a_second_key_of_one_person_do_not_count(signed: Yard, tmp_path: Path) -> None:
    # The author of the commits is person@example.org.
    person, second, bob = (key(tmp_path, name) for name in ("person", "second", "bob"))
    ada = tmp_path / "ada"
    keys = allowed(tmp_path, ada=ada, person=person, bob=bob)
    keys.write_text(keys.read_text() + f"ada@example.org {second.with_suffix('.pub').read_text()}")
    assert verify(signed, keys, "HEAD", "--people", "2")[0] == 10
    for one in (person, second):
        assert signed.run("gate", "sign", "--key", str(one)).code == 0
        code, said = verify(signed, keys, "HEAD", "--people", "2")
        assert (code, "and 1 did" in said["error"]) == (10, True)
    assert signed.run("gate", "sign", "--key", str(bob)).code == 0
    code, said = verify(signed, keys, "HEAD", "--people", "2")
    assert (code, len(said["signers"])) == (0, 4)


def altered(yard: Yard, ada: Path, **changes: object) -> None:
    """Sign another statement of this tree, in which something is said that the gate never said."""
    from blueline.gate import statement
    from blueline.gate.git import Git

    tree = yard.git("rev-parse", "HEAD^{tree}").strip()
    envelope = json.loads(yard.git("cat-file", "blob", REF + tree))
    document = json.loads(base64.b64decode(envelope["payload"]))
    document["predicate"] |= changes
    statement.put(Git(yard.root, os.environ), document, str(ada), os.environ)


def test_loops_that_were_changed_in_the_commit_are_closed(signed: Yard, ada: Path, tmp_path: Path) -> None:
    altered(signed, ada, config="0" * 64)
    code, said = verify(signed, allowed(tmp_path, ada=ada))
    assert (code, "not those that were run" in said["error"]) == (10, True)


def test_loops_that_are_all_skipped_are_no_review_in_a_statement(
    make: Make, ada: Path, tmp_path: Path
) -> None:
    yard = make("".join(f'[review.loops.{n}]\nskip = "prose only"\n' for n in "1234"))
    assert yard.run("gate", "sign", "--key", str(ada)).code == 10
    assert yard.run("loop", "record", "4", "--passed").code == 0
    assert yard.run("gate", "sign", "--key", str(ada)).code == 0
    keys = allowed(tmp_path, ada=ada)
    assert verify(yard, keys)[0] == 0
    said = yard.run("gate", "verify", "--key", str(keys)).out
    assert "loop 1 skipped: prose only" in said
    skipped = [{"loop": n, "passed": True, "state": "skipped", "skip": "prose only"} for n in (1, 2, 3, 4)]
    altered(yard, ada, loops=skipped)
    code, document = verify(yard, keys)
    assert (code, "no review" in document["error"]) == (10, True)


LESS = LOOPS.replace('["test ! -e BROKEN-2"]', "[]\nskip = 'too slow'")
OTHER = LOOPS.replace('["test ! -e BROKEN-2"]', '["true"]')
MORE = LOOPS.replace('["test ! -e BROKEN-2"]', '["true", "test ! -e BROKEN-2"]')


@pytest.mark.parametrize(
    ("loops", "says"),
    [
        (LESS, "loop 2 (standards) was skipped: too slow"),
        (OTHER, "loop 2 (standards) has not run: test ! -e BROKEN-2"),
        (MORE, ""),
    ],
)
def test_a_commit_is_judged_by_the_loops_of_its_base(
    yard: Yard, ada: Path, tmp_path: Path, loops: str, says: str
) -> None:
    base = yard.git("rev-parse", "HEAD").strip()
    yard.git("checkout", "-q", "-b", "topic")
    yard.configure(loops)
    yard.open()
    assert yard.run("ship", "--json", "--no-pr", "--key", str(ada), "--message", "less").code == 0
    keys = allowed(tmp_path, ada=ada)
    clone = elsewhere(yard, tmp_path)
    # By the branch that others start from, by its name, and where the commit is there already by its parent.
    for words in (
        ["origin/topic"],
        ["origin/topic", "--base", base],
        ["origin/topic", "--base", "origin/topic"],
    ):
        code, said = verify(yard, keys, *words, folder=clone)
        assert code == (10 if says else 0), said
        assert says in said.get("error", "")
        assert says or (said["base"], said["unmet"]) == (base, [])
    assert verify(yard, keys, "origin/topic", "--base", "nowhere", folder=clone)[0] == 10
    if says:
        # A change of the loops themselves is let through by a person, and everybody sees it.
        yard.run("gate", "override", "--reason", "the linter is gone", "--expires", "2h")
        yard.put("a.md", "again\n")
        yard.run("gate", "override", "--reason", "the linter is gone", "--expires", "2h")
        yard.commit("overridden")
        assert yard.run("gate", "sign", "--key", str(ada)).code == 0
        code, said = verify(yard, keys, "HEAD", "--base", base)
        assert (code, says in " ".join(said["unmet"])) == (0, True)


def test_a_base_that_is_not_there_is_no_reason_to_believe_the_commit(
    signed: Yard, ada: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "shallow"
    shallow = ["git", "clone", "-q", "--depth=1", f"file://{signed.remote}", str(clone)]
    subprocess.run(shallow, check=True)
    fetch = ["git", "-C", str(clone), "fetch", "-q", "origin", f"{REF}*:{REF}*"]
    subprocess.run(fetch, check=True)
    code, said = verify(signed, allowed(tmp_path, ada=ada), "HEAD", folder=clone)
    assert (code, "is not here" in said["error"]) == (10, True)


# The action


class Statuses(BaseHTTPRequestHandler):
    posted: list[tuple[str, str, str]]
    status = 201

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.posted.append((self.path.rpartition("/")[2], body["state"], body["context"]))
        self.send_response(self.status)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def api() -> Iterator[str]:
    Statuses.posted = []
    server = HTTPServer(("127.0.0.1", 0), Statuses)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def act(clone: Path, api: str, commit: str, signers: str, **more: str) -> subprocess.CompletedProcess[str]:
    environ = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COMMIT": commit,
        "BASE": "main",
        "SIGNERS": signers,
        "SIGNERS_FILE": ".blueline/allowed_signers",
        "PEOPLE": "1",
        "CONTEXT": "blueline gate",
        "TOKEN": "t",
        "REPOSITORY": "o/r",
        "API": api,
        **more,
    }
    script = ["bash", str(ACTION / "gate.sh")]
    return subprocess.run(script, cwd=clone, env=environ, capture_output=True, text=True, check=False)


def test_the_action_sets_a_status_from_the_statement(
    signed: Yard, ada: Path, tmp_path: Path, api: str
) -> None:
    clone = tmp_path / "ci"
    subprocess.run(["git", "clone", "-q", str(signed.remote), str(clone)], check=True)
    commit = signed.git("rev-parse", "HEAD").strip()
    done = act(clone, api, commit, allowed(tmp_path, ada=ada).read_text())
    assert done.returncode == 0, done
    assert Statuses.posted == [(commit, "pending", "blueline gate"), (commit, "success", "blueline gate")]
    before = signed.git("rev-parse", "HEAD~1").strip()
    Statuses.posted.clear()
    done = act(clone, api, before, allowed(tmp_path, ada=ada).read_text())
    assert done.returncode != 0
    assert [state for _, state, _ in Statuses.posted] == ["pending", "failure"]


def test_the_action_takes_the_signers_of_the_base_branch(signed: Yard, tmp_path: Path, api: str) -> None:
    # A pull request that brings its own list of signers along.
    eve = key(tmp_path, "eve")
    signed.git("checkout", "-q", "-b", "topic")
    signed.put(".blueline/allowed_signers", allowed(tmp_path, eve=eve).read_text())
    signed.open()
    assert signed.run("ship", "--json", "--key", str(eve), "--no-pr").code == 0
    clone = tmp_path / "ci"
    subprocess.run(["git", "clone", "-q", "-b", "topic", str(signed.remote), str(clone)], check=True)
    done = act(clone, api, signed.git("rev-parse", "HEAD").strip(), "")
    assert done.returncode != 0
    assert "no .blueline/allowed_signers on main" in done.stdout
    assert [state for _, state, _ in Statuses.posted] == ["pending", "failure"]


def test_the_action_takes_the_loops_of_the_base_branch(
    signed: Yard, ada: Path, tmp_path: Path, api: str
) -> None:
    signed.git("checkout", "-q", "-b", "topic")
    signed.configure(LESS)
    signed.open()
    assert signed.run("ship", "--json", "--key", str(ada), "--no-pr").code == 0
    clone = tmp_path / "ci"
    words = ["git", "clone", "-q", "--depth=1", "-b", "topic", f"file://{signed.remote}", str(clone)]
    subprocess.run(words, check=True)
    signers = allowed(tmp_path, ada=ada).read_text()
    done = act(clone, api, signed.git("rev-parse", "HEAD").strip(), signers)
    assert done.returncode != 0
    assert "was skipped: too slow" in done.stdout
    # What is on the base branch itself is judged by what stood there before.
    signed.git("push", "-q", "origin", "topic:main")
    Statuses.posted.clear()
    done = act(clone, api, signed.git("rev-parse", "HEAD").strip(), signers)
    assert (done.returncode != 0, "was skipped: too slow" in done.stdout) == (True, True)
    assert [state for _, state, _ in Statuses.posted] == ["pending", "failure"]


def test_the_action_finds_the_statement_of_a_fork_there(
    signed: Yard, ada: Path, tmp_path: Path, api: str
) -> None:
    fork, base = tmp_path / "fork.git", tmp_path / "base.git"
    subprocess.run(["git", "clone", "-q", "--mirror", str(signed.remote), str(fork)], check=True)
    subprocess.run(["git", "init", "-q", "--bare", str(base)], check=True)
    before = signed.git("rev-parse", "HEAD~1").strip()
    signed.git("push", "-q", str(base), f"{before}:refs/heads/main")
    clone = tmp_path / "ci"
    subprocess.run(["git", "clone", "-q", "-b", "main", str(base), str(clone)], check=True)
    commit, signers = signed.git("rev-parse", "HEAD").strip(), allowed(tmp_path, ada=ada).read_text()
    assert act(clone, api, commit, signers).returncode != 0
    done = act(clone, api, commit, signers, FORK=str(fork))
    assert done.returncode == 0, done
    assert Statuses.posted[-1] == (commit, "success", "blueline gate")
    eve = allowed(tmp_path, eve=key(tmp_path, "eve")).read_text()
    assert act(clone, api, commit, eve, FORK=str(fork)).returncode != 0


def test_the_action_says_what_to_do_with_a_token_that_may_only_read(
    signed: Yard, ada: Path, tmp_path: Path, api: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Statuses, "status", 403)
    clone = tmp_path / "ci"
    subprocess.run(["git", "clone", "-q", str(signed.remote), str(clone)], check=True)
    commit = signed.git("rev-parse", "HEAD").strip()
    done = act(clone, api, commit, allowed(tmp_path, ada=ada).read_text())
    assert done.returncode != 0
    assert "use pull_request_target" in done.stdout


def test_qg8_what_is_cut_off_is_no_success(signed: Yard, ada: Path, tmp_path: Path, api: str) -> None:
    clone = tmp_path / "ci"
    subprocess.run(["git", "clone", "-q", str(signed.remote), str(clone)], check=True)
    slow = tmp_path / "bin" / "blueline"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nkill -9 $PPID\n")
    slow.chmod(0o755)
    commit = signed.git("rev-parse", "HEAD").strip()
    signers = allowed(tmp_path, ada=ada).read_text()
    act(clone, api, commit, signers, PATH=f"{slow.parent}:{os.environ['PATH']}")
    assert [state for _, state, _ in Statuses.posted] == ["pending"]
