"""Commit, push, pull request: only through the gate, and nothing else than what it let through."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk import Desk
from blueline.desk.people import OnlyPeople, must_be_a_person
from blueline.errors import GATE_CLOSED, BluelineError
from blueline.gate import pull_request, statement
from blueline.gate.commit_message import proposed, with_override
from blueline.gate.git import Git, GitCommandFailed
from blueline.gate.ship_plan import ShipPlan

if TYPE_CHECKING:
    from blueline.contract.gate import GateDocument
    from blueline.contract.shipping import ShipEvent, ShippedDocument

OpenDesk = Callable[[], AbstractContextManager[Desk]]
Tell = Callable[["ShipEvent"], None]


class Closed(BluelineError):
    """The gate does not let this through."""

    exit_code = GATE_CLOSED

    def __init__(self, gate: GateDocument) -> None:
        first = gate["reasons"][0]
        more = f" (and {len(gate['reasons']) - 1} more)" if len(gate["reasons"]) > 1 else ""
        super().__init__(f"the gate is closed: {first['message']}{more}", hint=first["hint"])
        self.gate = gate


class NotApproved(BluelineError):
    """What would land, or has landed, is not what was approved."""


class ShipRequest(NamedTuple):
    message: str = ""
    is_dry: bool = False
    with_pull_request: bool = True
    remote: str = ""
    key: str = ""
    """The key to sign the gate's statement with; empty for the one that git signs commits with, if any."""


def prepared(open_desk: OpenDesk, wish: ShipRequest, environ: Mapping[str, str]) -> ShipPlan:
    """What shipping would do. Raises Closed when the gate is."""
    with open_desk() as desk:
        gate = desk.gate()
        root = desk.root
        if not gate["open"]:
            raise Closed(gate)
        tree = gate["tree"]
        assert tree is not None  # it is what the gate is open for
        local = desk.gatekeeper.work_tree.local()
        proposal = with_override(_proposed(desk, gate, Git(root, environ)), gate)
        message = with_override(wish.message, gate) if wish.message else proposal
    git = Git(root, environ)
    top = git.ask("rev-parse", "--show-toplevel")
    branch = git.run("symbolic-ref", "--quiet", "--short", "HEAD").stdout.decode("utf-8", "replace").strip()
    if not branch:
        raise GitCommandFailed("no branch is checked out", hint="git switch -c NAME")
    remote = wish.remote or git.config(f"branch.{branch}.remote") or _only_remote(git)
    return ShipPlan(
        top=top,
        branch=branch,
        remote=remote,
        tree=tree,
        local=local,
        commits=_is_commit_needed(git, tree),
        is_there=_has_head(git, remote, branch),
        message=message,
        proposal=proposal,
        gate=gate,
        key=wish.key or _git_key(git),
    )


def _proposed(desk: Desk, gate: GateDocument, git: Git) -> str:
    turns = desk.list(by="turn", status="all")["turns"]
    kept = {one["id"] for one in turns if one["counts"]["accepted"] or one["counts"]["pending"]}
    return proposed(
        desk.log()["entries"],
        since=_last_commit(git),
        kept=kept,
        is_reviewed=gate["override"] is None,
    )


def _may_not_sign(environ: Mapping[str, str]) -> str:
    """Why whoever ships cannot sign; empty if they can."""
    try:
        must_be_a_person(environ, "sign for the gate")
    except OnlyPeople as error:
        return str(error)
    return ""


def ship(
    open_desk: OpenDesk, wish: ShipRequest, *, by: str, environ: Mapping[str, str], tell: Tell
) -> ShippedDocument:
    """Ship; what was done."""
    plan = prepared(open_desk, wish, environ)
    done: ShippedDocument = {
        "branch": plan.branch,
        "remote": plan.remote,
        "tree": plan.tree,
        "message": plan.message,
        "override": plan.gate["override"],
        "dry_run": wish.is_dry,
        "commit": None,
        "committed": False,
        "pushed": False,
        "statement": None,
        "pull_request": None,
        "verified": False,
        "notes": [],
    }
    if wish.is_dry:
        return {**done, "commits": plan.commits, "pushes": bool(plan.remote) and not plan.is_there}
    git = Git(Path(plan.top), environ)
    if plan.commits:
        tell({"event": "committing"})
        commit(git, plan.tree, plan.message, plan.local)
        done["committed"] = True
    commit_name = done["commit"] = git.ask("rev-parse", "HEAD")
    if git.tree_of("HEAD") != plan.tree:
        raise NotApproved(
            "the commit does not hold what was approved, and was not pushed",
            hint="a git hook may have changed files: blueline review, then blueline ship",
        )
    is_new = False
    if plan.key and (refusal := _may_not_sign(environ)):
        done["notes"].append(f"not signed: {refusal}; they can: blueline gate sign")
    elif plan.key:
        document = statement.statement(plan.tree, commit_name, plan.gate, by)
        is_new = not statement.is_signed(git, document, plan.key, environ)
        done["statement"] = (
            statement.put(git, document, plan.key, environ) if is_new else statement.REF + plan.tree
        )
    else:
        done["notes"].append("not signed: git has no SSH key to sign with (see docs/gate.md)")
    if not plan.remote:
        done["notes"].append("not pushed: this repository has no remote")
        return {**done, "verified": True}
    if plan.commits or not plan.is_there or is_new:
        tell({"event": "pushing", "remote": plan.remote, "branch": plan.branch})
        _push(git, plan, done)
        done["pushed"] = True
    landed(git, plan.remote, plan.branch, commit_name, plan.tree)
    done["verified"] = True
    if wish.with_pull_request:
        tell({"event": "opening a pull request"})
        done["pull_request"], note = pull_request.opened(git, plan, environ)
        done["notes"] += [note] if note else []
    return done


def _last_commit(git: Git) -> str:
    done = git.run("log", "-1", "--format=%cI")
    return done.stdout.decode().strip() if done.returncode == 0 else ""


def _only_remote(git: Git) -> str:
    remotes = git.ask("remote").split()
    return "origin" if "origin" in remotes else remotes[0] if len(remotes) == 1 else ""


def _is_commit_needed(git: Git, tree: str) -> bool:
    done = git.run("rev-parse", "--verify", "--quiet", "HEAD^{tree}")
    return done.stdout.decode().strip() != tree


def _has_head(git: Git, remote: str, branch: str) -> bool:
    """Whether a branch over there is what is checked out here. Not, if that cannot be found out."""
    if not remote:
        return False
    done = git.run("ls-remote", "--", remote, f"refs/heads/{branch}")
    here = git.run("rev-parse", "--verify", "--quiet", "HEAD").stdout.split()
    return done.returncode == 0 and bool(here) and done.stdout.split()[:1] == here


def _git_key(git: Git) -> str:
    """The SSH key that git signs commits with; empty if there is none that is a file."""
    if git.config("gpg.format") != "ssh":
        return ""
    key = os.path.expanduser(git.config("user.signingkey"))
    return key if key and os.path.isfile(key) else ""


def commit(git: Git, tree: str, message: str, local: Sequence[str] = ()) -> None:
    """Commit everything there is, if that is exactly the approved tree. Otherwise nothing is touched.

    `local` are files of this machine, which stay out of it.
    """
    index = git.ask("rev-parse", "--path-format=absolute", "--git-path", "index")
    with tempfile.TemporaryDirectory(prefix="blueline-") as folder:
        # In an index of its own first: if it is not what was approved, nobody's index has changed.
        trial = os.path.join(folder, "index")
        if os.path.exists(index):
            # With its time: by that git tells which files may have changed in the moment they were added.
            shutil.copy2(index, trial)
        _add(git, local, {"GIT_INDEX_FILE": trial})
        if git.ask("write-tree", more={"GIT_INDEX_FILE": trial}) != tree:
            raise NotApproved(
                "files changed after the gate was asked, and nothing was committed",
                hint="blueline gate --explain says what changed",
            )
    _add(git, local, {})
    if git.ask("write-tree") != tree:
        raise NotApproved(
            "files changed while they were added, and nothing was committed", hint="blueline gate"
        )
    git.ask("commit", "--quiet", "--file", "-", given=message.encode("utf-8", "replace"))


def _add(git: Git, local: Sequence[str], more: Mapping[str, str]) -> None:
    git.ask("add", "--all", more=more)
    # Left out behind it: git takes a pattern that leaves something out for a wish to add what it ignores.
    if local:
        git.ask("update-index", "--force-remove", "--", *local, more=more)


def _push(git: Git, plan: ShipPlan, done: ShippedDocument) -> None:
    specs = [f"{done['commit']}:refs/heads/{plan.branch}"]
    if done["statement"]:
        specs.append(f"+{done['statement']}:{done['statement']}")
    git.ask("push", "--quiet", "--", plan.remote, *specs)
    if not git.config(f"branch.{plan.branch}.merge"):
        # As `git push --set-upstream`, which takes no commit by its name.
        git.run("branch", "--quiet", f"--set-upstream-to={plan.remote}/{plan.branch}")


def landed(git: Git, remote: str, branch: str, commit_name: str, tree: str) -> None:
    """See that the branch over there is what was approved here."""
    ref = f"refs/heads/{branch}"
    found = git.ask("ls-remote", "--", remote, ref).split()
    there = found[0] if found else ""
    if there != commit_name or git.tree_of(there) != tree:
        raise NotApproved(
            f"{remote} has {there[:12] or 'nothing'} at {branch}, and {commit_name[:12]} was approved",
            hint="somebody else may have pushed: git fetch, then blueline review",
        )
