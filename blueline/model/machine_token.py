"""What a machine shows a hub: made by the machine, known to the hub by its hash, and naming its project."""

PREFIX = "blm"
"""So that it is never taken for an option, nor for an invitation."""


def machine_token(project: str, secret: str) -> str:
    """The token of a machine, with something that nobody else can guess."""
    return f"{PREFIX}_{project}_{secret}"


def project_in(token: str) -> str | None:
    """The project that a token names; None if it is no token."""
    prefix, _, rest = token.partition("_")
    return rest.partition("_")[0] if prefix == PREFIX else None
