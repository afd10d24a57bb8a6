"""The MCP server: tools, resources and prompts over the Python API, for agents that speak the protocol."""
