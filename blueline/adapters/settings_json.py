"""JSON documents of other people, as the adapters change them: see `model/json_text.py`."""

from blueline.model.json_text import Member, append, indent_unit, members, parse, remove, top

__all__ = ["Member", "append", "indent_unit", "members", "parse", "remove", "top"]
