"""How a server of ours is run: nothing is logged, no program named, and no proxy believed."""

import logging
from typing import Any

QUIET: dict[str, Any] = {
    "ws": "none",
    "loop": "asyncio",
    "interface": "asgi3",
    "log_config": None,
    "log_level": logging.CRITICAL,
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
}
"""For `uvicorn.Config`; what else it needs is each server's own."""
