"""The gate's answer as a signed statement that others can verify: in-toto, in a DSSE envelope.

Signed with SSH keys, by `ssh-keygen -Y`: people have such keys already, in agents and on tokens, git signs
commits with them, code hosts publish them, and the file that says whose key is whose is git's own
(`allowedSignersFile`). A key of our own would be one more secret to keep, and one more library to trust.

A statement is about a tree, so it holds for every commit with exactly these bytes. It is a blob at
`refs/blueline/gate/<tree>`: a ref for each tree, so that no two people ever have to merge them.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from blueline.errors import GATE_CLOSED, BluelineError
from blueline.gate.git import Git, one_line, program

REF = "refs/blueline/gate/"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:blueline:gate:v1"
PAYLOAD = "application/vnd.in-toto+json"
NAMESPACE = "blueline-gate"
SECONDS = 120
LARGEST = 1 << 20

if TYPE_CHECKING:
    from blueline.contract.gate import GateDocument, LoopDocument
    from blueline.contract.statements import (
        SignatureDocument,
        SignedDocument,
        StatementDigest,
        StatementDocument,
        StatementLoop,
        VerifiedDocument,
    )


class NotVerified(BluelineError):
    """No valid statement opens the gate for this commit."""

    exit_code = GATE_CLOSED


class VerifyRequest(NamedTuple):
    """What is to be verified, and by what."""

    commit: str
    keys: Path
    """Who may sign."""
    people: int = 1
    """How many have to have signed; more than one means people besides the author."""
    base: str = ""
    """The commit whose loops count; empty for the place where the commit's branch left that of the others."""


class Signer(NamedTuple):
    """Who signed, by the file of allowed signers, and with which key."""

    name: str
    key: str


def statement(tree: str, commit: str, gate: GateDocument, by: str) -> StatementDocument:
    """The in-toto statement about a tree; `docs/gate.md` has its keys."""
    digest: StatementDigest = {"gitTree": tree}
    if commit:
        digest["gitCommit"] = commit
    return {
        "_type": STATEMENT,
        "subject": [{"name": "tree", "digest": digest}],
        "predicateType": PREDICATE,
        "predicate": {
            "open": gate["open"],
            "config": gate["config"],
            "loops": [_loop(loop) for loop in gate["loops"]],
            "override": gate["override"],
            "passed_over": [reason["code"] for reason in gate["reasons"]],
            "decided": gate["decided"],
            "by": by,
        },
    }


def _loop(loop: LoopDocument) -> StatementLoop:
    # One that is skipped runs nothing: it has passed where somebody reported it all the same.
    has_run = loop["state"] == "passed" and not loop["skip"]
    return {
        "loop": loop["loop"],
        "passed": loop["passed"],
        "state": loop["state"],
        "at": loop["at"],
        "by": loop["by"],
        "skip": loop["skip"],
        "commands": loop["commands"] if has_run else [],
        "reported": loop["state"] == "passed" and (loop["report"] or bool(loop["skip"])),
    }


def encoded(payload: bytes) -> bytes:
    """What a signature is made over: DSSE's encoding before signing."""
    kind = PAYLOAD.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


# Signing


def signed(payload: bytes, key: str, environ: Mapping[str, str]) -> SignatureDocument:
    """A signature, as it stands in an envelope."""
    with _folder() as folder:
        message = folder / "message"
        message.write_bytes(encoded(payload))
        _keygen(["-Y", "sign", "-n", NAMESPACE, "-f", key, str(message)], environ)
        armoured = message.with_suffix(".sig").read_bytes()
    return {"keyid": fingerprint(key, environ), "sig": base64.b64encode(armoured).decode()}


def fingerprint(key: str, environ: Mapping[str, str]) -> str:
    return _keygen(["-l", "-E", "sha256", "-f", key], environ).split()[1].decode()


def sign(root: Path, gate: GateDocument, key: str, by: str, environ: Mapping[str, str]) -> SignedDocument:
    """Sign what an open gate says of a commit."""
    tree, commit = gate["tree"] or "", gate["head"] or ""
    ref = put(Git(root, environ), statement(tree, commit, gate, by), key, environ)
    return {"ref": ref, "tree": tree, "commit": commit}


def put(git: Git, document: StatementDocument, key: str, environ: Mapping[str, str]) -> str:
    """Sign a statement and keep it with the commits of its tree; the name of the ref.

    If somebody has signed the same before, theirs stays beside ours.
    """
    tree = document["subject"][0]["digest"]["gitTree"]
    payload = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    signatures = []
    with contextlib.suppress(NotVerified):
        known = load(git, tree)
        if _is_same(known, document):
            payload, signatures = base64.b64decode(known["payload"]), known["signatures"]
    new = signed(payload, key, environ)
    envelope = {
        "payloadType": PAYLOAD,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [*(one for one in signatures if one.get("keyid") != new["keyid"]), new],
    }
    blob = git.ask("hash-object", "-w", "--stdin", given=json.dumps(envelope).encode())
    git.ask("update-ref", REF + tree, blob)
    return REF + tree


def is_signed(git: Git, document: StatementDocument, key: str, environ: Mapping[str, str]) -> bool:
    """Whether the same was signed before, with the same key."""
    try:
        known = load(git, document["subject"][0]["digest"]["gitTree"])
    except NotVerified:
        return False
    keys = [one.get("keyid") for one in known["signatures"] if isinstance(one, dict)]
    return _is_same(known, document) and fingerprint(key, environ) in keys


def _is_same(envelope: Mapping[str, Any], document: StatementDocument) -> bool:
    """Whether two people say the same of a tree, whoever of them said it first, and of whichever commit."""
    try:
        known = json.loads(base64.b64decode(envelope["payload"]))
        return bool(_essence(known) == _essence(document))
    except (ValueError, KeyError, TypeError):
        return False


def _essence(document: Mapping[str, Any]) -> tuple[object, ...]:
    about = document["predicate"]
    return (
        document["subject"][0]["digest"]["gitTree"],
        about["open"],
        about["config"],
        about["override"],
        [(loop["loop"], loop["passed"], loop["state"]) for loop in about["loops"]],
    )


# Verifying


def load(git: Git, tree: str) -> dict[str, Any]:
    """The envelope that is kept for a tree."""
    found = git.run("cat-file", "-s", REF + tree)
    if found.returncode:
        raise NotVerified(
            f"there is no statement for tree {tree[:12]}",
            hint=f"sign one: blueline gate sign, and push it: git push origin {REF}{tree[:12]}…",
        )
    if int(found.stdout or 0) > LARGEST:
        raise NotVerified("the statement is too large to be one")
    try:
        document = json.loads(git.run("cat-file", "blob", REF + tree).stdout)
        if not isinstance(document, dict) or not isinstance(document["signatures"], list):
            raise ValueError
        base64.b64decode(document["payload"], validate=True)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotVerified("the statement is damaged", hint="sign it again: blueline gate sign") from error
    return document


def verified(start: Path, wish: VerifyRequest, now: str, environ: Mapping[str, str]) -> VerifiedDocument:
    """What a signed statement says of a commit. Raises NotVerified unless it opens the gate."""
    from blueline.gate import policy  # comes with a desk, which signing alone does not need

    git, keys, people = Git(start, environ), wish.keys, wish.people
    name = git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{wish.commit}^{{commit}}")
    tree = git.tree_of(name)
    envelope = load(git, tree)
    if envelope.get("payloadType") != PAYLOAD:
        raise NotVerified("the statement is of another kind")
    payload = base64.b64decode(envelope["payload"])
    signers = signers_of(payload, envelope["signatures"], keys, environ)
    if not signers:
        raise NotVerified("no valid signature by anybody in the file of keys", hint=f"see who is in {keys}")
    document = _understood(payload)
    own = policy.policy_at(git, name)
    _must_fit(document, tree, own.digest, now)
    base = policy.base_of(git, name, wish.base)
    missing = list(policy.unmet(policy.policy_at(git, base), own, document["predicate"]["loops"]))
    if missing and document["predicate"]["override"] is None:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise NotVerified(
            f"this commit has not passed what {base[:12]}, its base, asks for: {missing[0]}{more}",
            hint="a person lets such a change through: blueline gate override, then blueline gate sign",
        )
    names = {signer.name.lower() for signer in signers}
    if people > 1:
        # Whoever made the change has approved of it by making it. Two keys of one person are one person.
        author = git.ask("show", "--no-patch", "--format=%ae", name).strip().lower()
        names.discard(author)
        if len(names) < people:
            raise NotVerified(
                f"{people} people besides the author have to sign, and {len(names)} did",
                hint="another person signs: blueline gate sign",
            )
    return {
        "open": True,
        "commit": name,
        "tree": tree,
        "signers": [{"name": signer.name, "key": signer.key} for signer in signers],
        "override": document["predicate"]["override"],
        "loops": document["predicate"]["loops"],
        "base": base,
        "unmet": missing,
        "decided": document["predicate"].get("decided", []),
    }


def _understood(payload: bytes) -> dict[str, Any]:
    try:
        document = json.loads(payload)
        about, subject = document["predicate"], document["subject"]
        _ = about["open"], about["override"], about["config"], subject[0]["digest"]["gitTree"]
        _ = [loop.get("passed") for loop in about["loops"]]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise NotVerified("what was signed is not a statement of the gate") from error
    if document.get("_type") != STATEMENT or document.get("predicateType") != PREDICATE:
        raise NotVerified("what was signed is not a statement of the gate")
    return dict(document)


def _must_fit(document: Mapping[str, Any], tree: str, config: str, now: str) -> None:
    about = document["predicate"]
    if [one["digest"].get("gitTree") for one in document["subject"]] != [tree]:
        raise NotVerified("the statement is about another tree")
    if about["open"] is not True:
        raise NotVerified("the statement says that the gate was closed", hint="review it: blueline review")
    if about["config"] != config:
        raise NotVerified("the loops in this commit are not those that were run", hint="review it again")
    override = about["override"]
    if override is not None and not (isinstance(override, dict) and now < str(override.get("expires", ""))):
        raise NotVerified("the override has expired", hint="review it: blueline review")
    if override is not None:
        return
    if not all(loop.get("passed") is True for loop in about["loops"]):
        raise NotVerified("a loop has not passed")
    if not any(loop.get("state") == "passed" for loop in about["loops"]):
        raise NotVerified("every loop was skipped, and that is no review", hint="review it: blueline review")


def signers_of(
    payload: bytes, signatures: Sequence[object], keys: Path, environ: Mapping[str, str]
) -> list[Signer]:
    """Whose signatures are valid."""
    found: list[Signer] = []
    with _folder() as folder:
        allowed = folder / "allowed"
        allowed.write_bytes(allowed_signers(keys))
        for number, one in enumerate(signatures[:20]):
            try:
                armoured = base64.b64decode(one["sig"], validate=True)  # type: ignore[index]
            except (ValueError, KeyError, TypeError):
                continue
            place = folder / f"{number}.sig"
            place.write_bytes(armoured)
            found += _signer(place, allowed, encoded(payload), environ)
    return found


def _signer(signature: Path, allowed: Path, message: bytes, environ: Mapping[str, str]) -> Iterator[Signer]:
    try:
        words = ["-Y", "find-principals", "-s", str(signature), "-f", str(allowed), "-n", NAMESPACE]
        names = _keygen(words, environ).decode("utf-8", "replace").split("\n")[0]
    except BluelineError:
        return
    for name in names.split(",")[:1]:
        words = ["-Y", "verify", "-f", str(allowed), "-I", name, "-n", NAMESPACE, "-s", str(signature)]
        try:
            said = _keygen(words, environ, message).decode("utf-8", "replace")
        except BluelineError:
            return
        yield Signer(name, next((word for word in said.split() if word.startswith("SHA256:")), ""))


def allowed_signers(keys: Path) -> bytes:
    """A file of allowed signers; one public key by itself stands for whoever has it."""
    try:
        data = keys.read_bytes()
    except OSError as error:
        raise BluelineError(
            f"{keys} cannot be read: {error.strerror}", hint="see: blueline gate verify --key"
        ) from error
    lines = [line for line in data.split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")]
    is_bare = len(lines) == 1 and lines[0].split()[0].startswith((b"ssh-", b"ecdsa-", b"sk-"))
    if not is_bare:
        return data
    words = lines[0].split()
    name = words[2] if len(words) > 2 else b"key"
    return name + b" " + b" ".join(words[:2]) + b"\n"


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="blueline-") as folder:
        yield Path(folder)


def _keygen(words: list[str], environ: Mapping[str, str], given: bytes = b"") -> bytes:
    found = program("ssh-keygen", environ)
    if found is None:
        raise BluelineError("ssh-keygen is not installed", hint="install OpenSSH")
    try:
        done = subprocess.run(
            [found, *words],
            input=given,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env=dict(environ),
            cwd=os.path.sep,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BluelineError(f"ssh-keygen did not end well: {error}") from error
    if done.returncode:
        said = one_line(done.stderr)
        raise BluelineError(
            f"ssh-keygen failed: {said or done.returncode}", hint="see whether the key can be used"
        )
    return done.stdout
