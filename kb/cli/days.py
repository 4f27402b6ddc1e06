"""Reading days from the command line."""

from __future__ import annotations

import datetime
import re
from argparse import ArgumentTypeError


def day(text: str) -> datetime.date:
    """A day written `2026-08-26`; for `argparse`'s `type=`."""
    try:
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            raise ValueError
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day; write it as 2026-08-26") from None
