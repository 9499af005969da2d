"""Other work trees of the same repository: what a conversation does there is written down there as well.

A hook process imports this while an agent waits, if the repository has several: only built-in modules.
"""

import posix
from _blake2 import blake2b

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from blueline.hook import hosts

# Started by an agent this is no part of a package: its folder is on the path, the package is not.
if TYPE_CHECKING or __package__:
    from blueline.kernel import disk, refs
else:
    import disk
    import refs

NEWS = "<task-notification>"
"""How a prompt begins that an agent gives itself: nobody asked for that."""


def others(root: bytes) -> "list[bytes]":
    """The work trees of a project's repository besides its own, the deepest first."""
    found = refs.repository(root)
    if found is None:
        return []
    shared = disk.follow(found[1])[0]
    trees = [shared[: -len(b"/.git")]] if shared.endswith(b"/.git") else []
    try:
        names = posix.listdir(shared + b"/worktrees")
    except OSError:
        names = []
    for name in names:
        link = refs.small_file(shared + b"/worktrees/" + name + b"/gitdir").rstrip(b"\r\n")
        if link.startswith(b"/") and link.endswith(b"/.git") and disk.is_folder(link[: -len(b"/.git")]):
            trees.append(disk.follow(link[: -len(b"/.git")])[0])
    return sorted({tree for tree in trees if tree and tree != root}, key=len, reverse=True)


def is_below(path: bytes, root: bytes) -> bool:
    return path == root or path.startswith(root.rstrip(b"/") + b"/")


def shared_out(root: bytes, trees: "list[bytes]", paths: "list[bytes]") -> "dict[bytes, list[bytes]]":
    """The files that a call names, by the work tree they are in; those in none count as the project's own."""
    found: dict[bytes, list[bytes]] = {}
    for path in paths:
        try:
            real = disk.follow(path)[0]
        except (OSError, ValueError):
            real = path
        # A tree may stand inside another one: the deepest counts.
        around = [tree for tree in (*trees, root) if is_below(real, tree)]
        found.setdefault(max(around, key=len, default=root), []).append(path)
    return found


def reached(root: bytes, trees: "list[bytes]", event: "hosts.Event") -> "list[bytes]":
    """The work trees that a command runs in, or names."""
    folder = event.get("cwd")
    given = event.get("tool_input")
    words = b""
    if isinstance(given, dict):
        said = [value for value in given.values() if isinstance(value, str)]
        words = "\0".join(said).encode("utf-8", "surrogatepass")
    here = folder.encode("utf-8", "surrogateescape") if isinstance(folder, str) else root
    around = sorted((*trees, root), key=len, reverse=True)
    inside = next((tree for tree in around if is_below(here, tree)), root)
    found = []
    for tree in around:
        names = [tree, *(name for base in (root, here) if (name := _from(base, tree)))]
        if tree == inside or any(name in words for name in names):
            found.append(tree)
        # A tree inside another one is not the other one.
        words = words.replace(tree, b"")
    return [tree for tree in found if tree != root]


def _from(base: bytes, tree: bytes) -> bytes:
    """A work tree as it may be named in a folder around it or beside it; empty if it is elsewhere."""
    if tree != base and is_below(tree, base):
        return tree[len(base.rstrip(b"/")) + 1 :]
    parent, _, name = tree.rpartition(b"/")
    return b"../" + name if tree != base and parent == base.rpartition(b"/")[0] else b""


# What was asked for


def prompt_path(state: bytes, conversation: str) -> bytes:
    name = blake2b(conversation.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return state + b"/prompt-" + name.encode()


def keep_prompt(state: bytes, conversation: str, event: "hosts.Event", raw: bytes) -> None:
    """Remember what was asked last, in case that something is done for it elsewhere."""
    prompt = event.get("prompt")
    if conversation and not (isinstance(prompt, str) and prompt.lstrip().startswith(NEWS)):
        disk.put_in_place(prompt_path(state, conversation), raw, state + b"/blobs/tmp")


def untold_prompt(state: bytes, there: bytes, conversation: str) -> bytes:
    """What was asked last here, if another project has not been told; empty if it has. Then it has."""
    said = refs.small_file(prompt_path(state, conversation), 1 << 20)
    if not said or said == refs.small_file(prompt_path(there, conversation), 1 << 20):
        return b""
    disk.put_in_place(prompt_path(there, conversation), said, there + b"/blobs/tmp")
    return said


def was_told(there: bytes, conversation: str, *, forget: bool) -> bool:
    """Whether something of a conversation's turn was written down in another project."""
    try:
        if forget:
            posix.unlink(prompt_path(there, conversation))
        else:
            posix.lstat(prompt_path(there, conversation))
    except OSError:
        return False
    return True
