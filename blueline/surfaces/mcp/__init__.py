"""The tools that agents get: an MCP server on standard input and output."""
