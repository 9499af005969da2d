"""Bytes are the truth; text is a view of them."""


def as_text(data: bytes | None) -> str | None:
    """The bytes as text, or None when they are not (a NUL, anything that is not UTF-8) or not known."""
    if data is None or b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
