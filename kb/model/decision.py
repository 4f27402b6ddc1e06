"""Decision records: the front matter of `decisions/NNNN-slug.md`, a superset of MADR 4."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from kb.model.base import ClaimId, Day, Line, Record, Slug, Text
from kb.model.grounds import (
    Bottleneck,
    Cost,
    Deployment,
    Portability,
    StackLayer,
    or_text,
)

StatusName = Literal["draft", "hypothesis", "accepted", "rejected", "superseded", "deprecated"]
EventName = Literal[
    "draft",
    "hypothesis",
    "accepted",
    "rejected",
    "superseded",
    "deprecated",
    "reviewed",
    "restamped",
    "erratum",
]
"""What a line of the log records: a new status, or a look at a record that keeps its status."""
StepName = Literal[
    "convert_unit",
    "divide_by_count",
    "divide_by_power",
    "multiply_by_count",
    "both_directions_to_one",
    "sparse_to_dense",
    "link_to_device",
    "assessed",
]
"""Licensed steps that a record names where a comparison needs them."""


DifferenceName = Literal[
    "version",
    "division",
    "availability",
    "verification",
    "accelerator_count",
    "nodes",
    "number_formats",
    "unit",
]
"""Differences of published results that a comparison has to name."""


class Option(Record):
    """One option: a whole stack, so that options on different layers can be told apart."""

    id: Slug
    """Short name of the option."""
    title: Line
    """What a reader calls it."""
    framework: Text | None = None
    """JAX, PyTorch …"""
    compute_api: Text | None = None
    """CUDA, XLA:TPU …"""
    kernel: Text | None = None
    """generated, library, hand-written."""
    accelerator: Slug | None = None
    """Id of a product."""


DECISION_ID = r"^(?:\d{4}|[1-9]\d{4,7})$"
"""Four digits; the ten-thousandth decision has five."""


class Comparison(Record):
    """Two claims, or two published results, side by side, with the steps that are accepted."""

    left: ClaimId
    """Id of the left claim or result."""
    right: ClaimId
    """Id of the right claim or result."""
    derivation: tuple[StepName, ...] = ()
    """The licensed steps that the comparison needs."""
    assessments: tuple[Text, ...] = ()
    """Assessments it rests on, as `<claim id>#<axis>`."""
    differences: tuple[DifferenceName, ...] = ()
    """What differs between two published results and must be said beside them."""
    note: Text | None = None
    """What the comparison is for."""


class RefusedComparison(Record):
    """A comparison that lies near and that the rules refuse; kept so that nobody makes it again."""

    left: ClaimId
    """Id of the left claim or result."""
    right: ClaimId
    """Id of the right claim or result."""
    axes: Annotated[tuple[Text, ...], Field(min_length=1)]
    """The axes on which the two differ."""
    note: Text | None = None
    """What one might have thought."""


class ChoiceRule(Record):
    """The rule by which an option is chosen, so that a machine can apply it again."""

    choose: Slug
    """Option that is chosen where `when` holds."""
    when: Text
    """A comparison of the inputs: `rate_b / price_b >= 1.3 * rate_a / price_a`."""
    otherwise: Slug
    """Option that is chosen where it doesn't."""
    inputs: Annotated[
        dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], Text], Field(min_length=1)
    ]
    """What each name stands for: a claim id, `<evidence>#<field>`, or `cost:<option>`."""


class Approval(Record):
    """Somebody who stands for the acceptance."""

    by: Line
    """Name, as git knows it."""
    date: Day
    """When."""


class LogEntry(Record):
    """One line of a record's own history."""

    date: Day
    """When."""
    event: EventName
    """A new status, or what was done to a record that keeps its status."""
    by: Line | None = None
    """Who."""
    note: Text | None = None
    """Why, with the values."""


class Section(Record):
    """One section of a decision that another decision replaces."""

    decision: Annotated[str, Field(pattern=DECISION_ID)]
    """Id of the decision at the other end."""
    section: Text
    """Heading of the replaced section."""


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

    id: Annotated[str, Field(pattern=DECISION_ID)]
    """Four digits, or five from 10000 on, as the file name begins; quoted, as 0001 is a text."""
    title: Line
    """The decision in one line."""
    kind: Literal["stack", "project"] = "stack"
    """`project` for how a repository is built: no option, figure or evidence of a stack in it."""
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
    """Claims or published results set side by side."""
    refused: tuple[RefusedComparison, ...] = ()
    """Comparisons that lie near and must not be made."""
    evidence: tuple[Slug, ...] = ()
    """Ids of evidence records."""
    bottleneck: Bottleneck | None = None
    """What was observed to bind."""
    rule: ChoiceRule | None = None
    """How the option follows from cited values."""
    chosen: Slug | None = None
    """Id of the option that was chosen."""
    next_measurement: Text | None = None
    """What must be measured next; a hypothesis needs it."""
    tolerance: Text | None = None
    """How far a figure may move before the decision is doubted, with a percentage: `10 %`."""
    quality_target: Text | None = None
    """What the result must still be good for."""
    deployment: Annotated[Deployment, or_text(Deployment)] | None = None
    """Where and at what scale it would run."""
    portability: Annotated[Portability, or_text(Portability)] | None = None
    """What stays bound to a vendor."""
    cost: Annotated[Cost, or_text(Cost)] | None = None
    """Engineering and operating cost."""
    review_by: Day | None = None
    """When to look at it again."""
    supersedes: tuple[Text, ...] = ()
    """Ids of decisions that this one replaces."""
    superseded_by: tuple[Text, ...] = ()
    """Ids of decisions that replace this one."""
    supersedes_sections: tuple[Section, ...] = ()
    """Sections of other decisions that this one replaces."""
    superseded_sections: tuple[Section, ...] = ()
    """Sections of this one that other decisions replace; the rest still holds."""
    confirmation: Text | None = None
    """What keeps watch over a project decision: a test, a contract, a file."""
    approvals: tuple[Approval, ...] = ()
    """Who stands for the acceptance."""
    seal: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    """Hash of what was accepted, which doesn't change afterwards."""
    pins: tuple[Pin, ...] = ()
    """Values that an accepted decision relies on."""
    log: tuple[LogEntry, ...] = ()
    """The record's own history, oldest first."""
