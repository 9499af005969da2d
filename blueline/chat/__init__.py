"""Talking to agents that speak the Agent Client Protocol, and taking whole turns back.

See `docs/chat.md`.
"""
