"""Folders, frames and blobs on disk: the one implementation, shared by the hook process and everything else.

A hook process imports this for every tool call, and the agent waits for it: only built-in modules at the
top, the rest where it is needed. All paths in here are absolute and are bytes. The layout on disk is in
`docs/format.md`.
"""

import posix
import sys
import time

try:
    from _blake2 import blake2b
except ImportError:  # an interpreter built without its own hashes
    from hashlib import blake2b

TYPE_CHECKING = False  # the typing module costs more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Callable
    from mmap import mmap

MAGIC = b"\xb1BLJ"
VERSION = 1
HEADER_SIZE = 20
DIGEST_SIZE = 8
LONGEST_PAYLOAD = 1 << 28
TRIES = 3
SEEK_CUR = 1
"""Only `os` has a name for it."""

CHUNKED_FROM = 8 << 20
CHUNK_SHORTEST = 256 << 10
CHUNK_LONGEST = 1280 << 10
RUNS = (*range(1, 33), *range(34, 64, 3), 89, 144, 233, 377, 610)

SQUEEZED_IN_HOOKS = range(64 << 10, CHUNK_SHORTEST)
"""Sizes of content that a hook compresses. For less, loading zlib (0.7 ms) costs more than it saves."""

SETTLED_NS = 60 * 10**9
"""Any file system has written out a rename by itself after this long."""

MOST_LINKS = 40

TEMPORARY = b".blueline-", b".tmp"
"""How names of ours begin and end that exist for a moment, while a decision is carried out."""

TYPE_BITS, REGULAR, LINK, FOLDER = 0o170000, 0o100000, 0o120000, 0o040000

IS_MACOS = sys.platform == "darwin"
F_FULLFSYNC = 51
"""Only macOS's own Python has a name for it."""


def sync_file(fd: int) -> None:
    """Make a file durable, bytes and all else."""
    if IS_MACOS:
        import fcntl

        # There, `fsync` leaves bytes in the disk's own memory, which is gone with the power.
        try:
            fcntl.fcntl(fd, F_FULLFSYNC)
            return
        except OSError:
            pass  # not every file system can: a shared folder cannot
    posix.fsync(fd)


flush: "Callable[[int], None]" = getattr(posix, "fdatasync", sync_file)  # macOS has none


def escape(text: bytes) -> bytes:
    """Bytes that fit on one line; `unescape` gives them back."""
    return text.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")


def unescape(line: bytes) -> bytes:
    parts = line.split(b"\\\\")
    return b"\\".join(part.replace(b"\\n", b"\n").replace(b"\\r", b"\r") for part in parts)


# Files and folders


def read_whole(fd: int, at_most: int = -1) -> bytes:
    """All bytes up to the end; if there are more than `at_most`, one more than that."""
    pieces = []
    left = at_most + 1
    while piece := posix.read(fd, left if at_most >= 0 else 65536):
        pieces.append(piece)
        left -= len(piece)
        if at_most >= 0 and left <= 0:
            break
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def write_whole(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[posix.write(fd, rest) :]


def sync_folder(path: bytes) -> None:
    """Make the names in a folder durable."""
    fd = posix.open(path, posix.O_RDONLY | posix.O_DIRECTORY)
    try:
        posix.fsync(fd)
    except OSError as error:
        import errno

        if error.errno != errno.EINVAL:  # some network file systems refuse, and keep names safe by themselves
            raise
    finally:
        posix.close(fd)


def make_folder(path: bytes) -> None:
    """Make a folder and its parents, for the owner only. Existing ones stay as they are."""
    parent = path[: path.rfind(b"/")]
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        if not parent:
            raise
        make_folder(parent)
        try:
            posix.mkdir(path, 0o700)  # once more only: behind a link that leads nowhere it never succeeds
        except FileExistsError:
            return
    sync_folder(parent or b"/")


def open_temporary(folder: bytes) -> tuple[int, bytes]:
    """A new file in a folder for temporaries, which is made if need be; its descriptor and its path."""
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW
    for _ in range(TRIES):
        path = b"%s/%d-%d" % (folder, posix.getpid(), time.time_ns())
        try:
            return posix.open(path, flags, 0o600), path
        except FileExistsError:  # a process in another container may have our number
            continue
        except FileNotFoundError:
            make_folder(folder)
    import errno

    raise OSError(errno.EIO, "no temporary file can be made", folder)


def place(path: bytes, data: bytes, temporaries: bytes) -> None:
    """Put a whole file under its name, durably: there is never half a file of that name."""
    put_in_place(path, data, temporaries, sync=True)
    sync_folder(path[: path.rfind(b"/")])


def put_in_place(path: bytes, data: bytes, temporaries: bytes, *, sync: bool = False) -> None:
    """As `place`, but durable only if asked for: for what can be made anew."""
    fd, temporary = open_temporary(temporaries)
    try:
        try:
            write_whole(fd, data)
            if sync:
                sync_file(fd)
        finally:
            posix.close(fd)
        rename(temporary, path)
    except BaseException:
        posix.unlink(temporary)
        raise


def rename(old: bytes, new: bytes) -> None:
    """Give a file another name, in a folder that is made if need be."""
    try:
        posix.rename(old, new)
    except FileNotFoundError:
        make_folder(new[: new.rfind(b"/")])
        posix.rename(old, new)


def is_temporary(name: bytes) -> bool:
    """Whether a name is one of ours."""
    return name.startswith(TEMPORARY[0]) and name.endswith(TEMPORARY[1])


def reply_name(conversation: str) -> bytes:
    """The name of the file that holds what a conversation has to hear."""
    return blake2b(conversation.encode("utf-8", "replace"), digest_size=16).hexdigest().encode()


def follow(path: bytes) -> tuple[bytes, bytes]:
    """The real path, every link resolved, and the first part of it that does not exist (empty if all does).

    Unlike `realpath` it fails with the reason when a folder cannot be looked into.
    """
    todo = path.split(b"/")[::-1]
    done = missing = b""
    links = 0
    while todo:
        name = todo.pop()
        if name in (b"", b"."):
            continue
        if name == b"..":
            done = done[: max(done.rfind(b"/"), 0)]
            if len(done) < len(missing):
                missing = b""
            continue
        done += b"/" + name
        if missing:
            continue
        try:
            is_link = posix.lstat(done).st_mode & TYPE_BITS == LINK
        except (FileNotFoundError, NotADirectoryError):
            missing = done
            continue
        if is_link:
            links += 1
            if links > MOST_LINKS:
                import errno

                raise OSError(errno.ELOOP, "too many links", done)
            target = posix.readlink(done)
            todo += target.split(b"/")[::-1]
            done = b"" if target.startswith(b"/") else done[: done.rfind(b"/")]
    return done or b"/", missing


def is_folder(path: bytes) -> bool:
    try:
        return posix.stat(path).st_mode & TYPE_BITS == FOLDER
    except OSError:
        return False


# Journal


def checksum(about: bytes, payload: bytes) -> bytes:
    """Over a frame's header, from the version to the length, and its payload."""
    found = blake2b(about, digest_size=DIGEST_SIZE)
    found.update(payload)
    return found.digest()


def frame(kind: bytes, payload: bytes) -> bytes:
    """One record as it stands in the journal. `kind` is one byte."""
    if len(kind) != 1 or len(payload) > LONGEST_PAYLOAD:
        raise ValueError("a kind is one byte, and a payload has a longest length")
    about = bytes((VERSION,)) + kind + b"\0\0" + len(payload).to_bytes(4, "big")
    return b"".join((MAGIC, about, checksum(about, payload), payload))


def whole_frames(data: "bytes | mmap", at: int) -> "list[tuple[int, bytes, bytes]]":
    """The whole frames that follow each other from a place on: where each ends, its kind and its payload."""
    found = []
    while len(data) - at >= HEADER_SIZE:
        about = data[at + len(MAGIC) : at + HEADER_SIZE - DIGEST_SIZE]
        start, length = at + HEADER_SIZE, int.from_bytes(about[4:], "big")
        payload = data[start : start + length]
        if data[at : at + len(MAGIC)] != MAGIC or about[0] != VERSION or length > LONGEST_PAYLOAD:
            break
        if len(payload) < length or checksum(about, payload) != data[start - DIGEST_SIZE : start]:
            break
        at = start + length
        found.append((at, about[1:2], payload))
    return found


def append(journal: bytes, data: bytes) -> int:
    """Add one frame at the end, durably, while others do the same; says where it starts.

    One write, because the file system keeps single writes apart. A short write is left where it is (the
    reader steps over it) and the whole frame is written again: cutting it off could cut off what another
    process has added.
    """
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_NOFOLLOW
    try:
        fd = posix.open(journal, flags)
    except FileNotFoundError:
        fd = posix.open(journal, flags | posix.O_CREAT, 0o600)
        sync_folder(journal[: journal.rfind(b"/")])
    try:
        for _ in range(TRIES):
            if posix.write(fd, data) == len(data):
                end = posix.lseek(fd, 0, SEEK_CUR)
                flush(fd)
                return end - len(data)
    finally:
        posix.close(fd)
    import errno

    raise OSError(errno.ENOSPC, "short writes only", journal)


# Blobs


def blob_id(content: bytes) -> str:
    return blake2b(content, digest_size=20).hexdigest()


def blob_path(blobs: bytes, name: str) -> bytes:
    return b"%s/%s/%s" % (blobs, name[:2].encode(), name[2:].encode())


def spread(blobs: bytes) -> None:
    """Make all folders of a blob store at once, so that no hook has to make one while an agent waits."""
    make_folder(blobs + b"/tmp")
    for number in range(256):
        try:
            posix.mkdir(b"%s/%02x" % (blobs, number), 0o700)
        except FileExistsError:
            continue
    sync_folder(blobs)


def is_stored(path: bytes, unsynced: "set[bytes] | None" = None) -> bool:
    """Whether a blob is there and will still be after a power cut. Emptied and purged ones are not.

    Whoever hands a set over syncs the folders that it holds afterwards: till then it may be there no more.
    """
    try:
        found = posix.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    if found.st_size == 1:
        fd = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW)
        try:
            if posix.read(fd, 1) != b"0":
                return False
        finally:
            posix.close(fd)
    if found.st_size and time.time_ns() - found.st_ctime_ns < SETTLED_NS:
        # Another process may have renamed it a moment ago and not come to this line.
        folder = path[: path.rfind(b"/")]
        if unsynced is None:
            sync_folder(folder)
        else:
            unsynced.add(folder)
    return found.st_size > 0


def squeeze(content: bytes, sizes: range) -> bytes:
    """A blob file's bytes: a tag, then the content, compressed if its size is in `sizes` and that helps."""
    if len(content) in sizes:
        try:
            import zlib

            small = zlib.compress(content, 1)
        except ImportError:
            small = content
        if len(small) < len(content) * 9 // 10:
            return b"z" + small
    return b"0" + content


def cuts(content: bytes) -> list[bytes]:
    """Large content in pieces whose edges depend on the bytes around them alone.

    So an insertion changes the pieces it stands in and no later ones. Every byte value counts as a zero or a
    one; a piece ends after the longest run of ones between its shortest and longest length. The longest
    there is, not one of a fixed length: how long runs get depends on the text.
    """
    bits = int.from_bytes(blake2b(b"blueline chunks", digest_size=32).digest(), "big")
    table = bytes(bits >> value & 1 for value in range(256))
    pieces = []
    start = 0
    while len(content) - start > CHUNK_SHORTEST:
        window = content[start + CHUNK_SHORTEST : start + CHUNK_LONGEST].translate(table)
        shortest, longest, end = 0, len(RUNS), len(window)
        while shortest < longest:
            middle = (shortest + longest) // 2
            at = window.find(b"\1" * RUNS[middle])
            if at < 0:
                longest = middle
            else:
                shortest, end = middle + 1, at + RUNS[middle]
        pieces.append(content[start : start + CHUNK_SHORTEST + end])
        start += len(pieces[-1])
    if start < len(content):
        pieces.append(content[start:])
    return pieces


def put_blob(blobs: bytes, content: bytes, squeezed: range = SQUEEZED_IN_HOOKS) -> str:
    """Store content under its hash, durably, unless it is there; says the hash."""
    name = blob_id(content)
    path = blob_path(blobs, name)
    if is_stored(path):
        return name
    if len(content) < CHUNKED_FROM:
        body = squeeze(content, squeezed)
    else:
        # In a store of their own, so that a piece is never taken for somebody's small file of the same bytes.
        rows = [(put_blob(blobs + b"/chunks", piece, squeezed), len(piece)) for piece in cuts(content)]
        body = b"c" + b"".join(b"%s %d\n" % (part.encode(), size) for part, size in rows)
    place(path, body, blobs + b"/tmp")
    return name


def boot() -> bytes:
    """Tells this run of the machine from the one before, in which a file may not have reached the disk."""
    try:
        fd = posix.open(b"/proc/sys/kernel/random/boot_id", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return posix.read(fd, 100).strip()
    finally:
        posix.close(fd)
