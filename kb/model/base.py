"""What every record shares: frozen, closed to unknown fields, and never coercing."""

import datetime
import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

SLUG = r"^[a-z0-9]+(?:[-.][a-z0-9]+)*$"
CLAIM_ID = r"^[a-z0-9]+(?:[-.][a-z0-9]+)*/[a-z0-9]+(?:[-.][a-z0-9]+)*$"


class Record(BaseModel):
    """A part of the knowledge base. Equal content is equal, wherever it is written."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def _iso_day(value: object) -> object:
    """Only `2026-08-26` is a date: no timestamps, no numbers, no other order."""
    if isinstance(value, str) and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        raise ValueError(f"{value!r} is not a date; write it as 2026-08-26")
    if not isinstance(value, (str, datetime.date)) or isinstance(value, datetime.datetime):
        raise ValueError(f"{value!r} is not a date; write it as 2026-08-26")
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("the text is empty")
    return value


LONGEST_LINE = 500
"""Characters of a name or title; a longer one is prose, and has a field of its own."""


def _one_line(value: str) -> str:
    if "\n" in value:
        raise ValueError("the text has a line break; write it on one line")
    if len(value) > LONGEST_LINE:
        raise ValueError(f"the text has {len(value)} characters; {LONGEST_LINE} at most")
    return value


LARGEST = 10**12
"""More than anything here is counted in; a longer number is a slip of the hand."""


def _countable(value: int) -> int:
    if value > LARGEST:
        raise ValueError(f"the number is above {LARGEST}")
    return value


Day = Annotated[datetime.date, BeforeValidator(_iso_day)]
"""A calendar day, written `2026-08-26`."""
Text = Annotated[str, AfterValidator(_not_blank)]
"""A text that says something."""
Line = Annotated[Text, AfterValidator(_one_line)]
"""A name or a title: one line of text."""
Whole = Annotated[int, Field(strict=True, ge=1), AfterValidator(_countable)]
"""A whole number from 1 to 1000000000000."""
Flag = Annotated[bool, Field(strict=True)]
"""`true` or `false`, nothing else."""
Slug = Annotated[str, Field(pattern=SLUG)]
"""Lower-case words and digits joined by hyphens: `tpu-v6e`, `chip-hbm-bandwidth`."""
ClaimId = Annotated[str, Field(pattern=CLAIM_ID)]
"""`<product>/<claim>`, as in `tpu-v6e/chip-hbm-bandwidth`."""
