"""The execution reader: who is responsible for what, and which boundary to inspect next.

Three paths by three stages. It runs nothing and computes no speed; all of it is text.
"""

from kb.pages.reader.page import reader_pages

__all__ = ["reader_pages"]
