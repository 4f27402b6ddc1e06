"""The shapes of the files below `api/` of the published site."""

from __future__ import annotations

from typing import NotRequired

from pydantic import with_config
from typing_extensions import TypedDict

from kb.schema.outputs import (
    _CLOSED,
    CautionOutput,
    ReasonOutput,
    StepOutput,
    VerdictWord,
    Version,
)


@with_config(_CLOSED)
class File(TypedDict):
    """One file of the list."""

    path: str
    bytes: int
    sha256: str
    records: NotRequired[str]


@with_config(_CLOSED)
class Index(TypedDict):
    """`api/index.json`."""

    schema_version: Version
    verdicts: str
    record: str
    files: list[File]


@with_config(_CLOSED)
class Table(TypedDict):
    """`api/<table>.json`; every cell is a text, and every row has an id and a page."""

    schema_version: Version
    table: str
    rows: list[dict[str, str]]


@with_config(_CLOSED)
class Choice(TypedDict):
    """One claim that can be chosen."""

    id: str
    product_name: str
    metric: str
    group: str
    title: str
    published: str
    qualifiers: list[str]
    page: str


@with_config(_CLOSED)
class Chooser(TypedDict):
    """`api/chooser.json`."""

    schema_version: Version
    metrics: list[list[str]]
    claims: list[Choice]


@with_config(_CLOSED)
class ShortVerdict(TypedDict):
    """A verdict whose lists are numbers of `parts`; what is empty is left out."""

    verdict: VerdictWord
    ratio: NotRequired[float]
    ratio_interval: NotRequired[list[float]]
    shown: NotRequired[str]
    conditional: NotRequired[list[str]]
    fraction: NotRequired[str]
    reasons: NotRequired[list[int]]
    cautions: NotRequired[list[int]]
    derivation: NotRequired[list[int]]
    use_instead: NotRequired[list[str]]


@with_config(_CLOSED)
class Verdicts(TypedDict):
    """`api/verdicts/<product>/<claim>.json`: this claim against those whose ids sort after it."""

    schema_version: Version
    claim: str
    parts: list[ReasonOutput | CautionOutput | StepOutput]
    verdicts: dict[str, ShortVerdict]
