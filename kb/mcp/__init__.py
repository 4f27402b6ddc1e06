"""Answers an assistant over the Model Context Protocol, with what the reading commands print."""
