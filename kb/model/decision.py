"""Decision records: the front matter of `decisions/NNNN-slug.md`, a superset of MADR 4."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from kb.model.base import ClaimId, Day, Record, Slug, Text

StatusName = Literal["draft", "hypothesis", "accepted", "rejected", "superseded", "deprecated"]
StepName = Literal[
    "convert_unit",
    "divide_by_count",
    "multiply_by_count",
    "both_directions_to_one",
    "sparse_to_dense",
    "link_to_device",
    "assessed",
]
"""Licensed steps that a record names where a comparison needs them."""
StackLayer = Literal["framework", "compute_api", "kernel", "accelerator"]


class Option(Record):
    """One option: a whole stack, so that options on different layers can be told apart."""

    id: Slug
    """Short name of the option."""
    title: Text
    """What a reader calls it."""
    framework: Text | None = None
    """JAX, PyTorch …"""
    compute_api: Text | None = None
    """CUDA, XLA:TPU …"""
    kernel: Text | None = None
    """generated, library, hand-written."""
    accelerator: Slug | None = None
    """Id of a product."""


class Comparison(Record):
    """Two claims set side by side in a decision, with the steps that the record accepts."""

    left: ClaimId
    """Id of the left claim."""
    right: ClaimId
    """Id of the right claim."""
    derivation: tuple[StepName, ...] = ()
    """The licensed steps that the comparison needs."""
    assessments: tuple[Text, ...] = ()
    """Assessments it rests on, as `<claim id>#<axis>`."""
    note: Text | None = None
    """What the comparison is for."""


class Pin(Record):
    """A value that an accepted decision relies on."""

    id: Text
    """Id of the claim or evidence."""
    hash: Text
    """Content hash when it was pinned."""
    values: dict[Text, Text] = {}
    """The exact values relied on."""


class Decision(Record):
    """Front matter of one decision. The prose below it is not part of this record."""

    model_config = ConfigDict(populate_by_name=True)

    id: Annotated[str, Field(pattern=r"^\d{4}$")]
    """Four digits, the same as the file name begins with; quoted, since 0001 is a text."""
    title: Text
    """The decision in one line."""
    status: StatusName
    """Where it stands in its life."""
    date: Day
    """Day of the last change of status."""
    decision_makers: Annotated[tuple[Text, ...], Field(alias="decision-makers")] = ()
    """Who decides."""
    consulted: tuple[Text, ...] = ()
    """Whose opinion was asked."""
    informed: tuple[Text, ...] = ()
    """Who is told."""
    question: Text | None = None
    """The question that is decided."""
    options: tuple[Option, ...] = ()
    """What can be chosen."""
    workload: Text | None = None
    """Id of the workload."""
    varied: tuple[StackLayer, ...] = ()
    """Layers in which the options differ."""
    controlled: tuple[Text, ...] = ()
    """What is held equal."""
    comparisons: tuple[Comparison, ...] = ()
    """Claims set side by side."""
    evidence: tuple[Slug, ...] = ()
    """Ids of evidence records."""
    next_measurement: Text | None = None
    """What must be measured next; a hypothesis needs it."""
    tolerance: Text | None = None
    """How far a figure may move before the decision is doubted."""
    quality_target: Text | None = None
    """What the result must still be good for."""
    deployment: Text | None = None
    """Where and at what scale it would run."""
    portability: Text | None = None
    """What stays bound to a vendor."""
    cost: Text | None = None
    """Engineering and operating cost."""
    review_by: Day | None = None
    """When to look at it again."""
    supersedes: tuple[Text, ...] = ()
    """Ids of decisions that this one replaces."""
    superseded_by: tuple[Text, ...] = ()
    """Ids of decisions that replace this one."""
    pins: tuple[Pin, ...] = ()
    """Values that an accepted decision relies on."""
