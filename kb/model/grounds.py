"""What an accepted decision stands on: what binds, where it holds, what it costs, what it ties."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from kb.model.base import Day, Record, Slug, Text, Whole
from kb.qualifiers import Boundary, Metric
from kb.quantity import parse_quantity

StackLayer = Literal["framework", "compute_api", "kernel", "accelerator"]
"""A layer on which the options of a decision may differ."""


class Bottleneck(Record):
    """What was seen to bind, and where the clock stood when it was seen."""

    boundary: Boundary
    """The interval in which it was observed."""
    observed: Text
    """What binds: memory traffic, arithmetic, links, host work, retracing."""
    evidence: Slug | None = None
    """Id of the record that shows it."""


class Deployment(Record):
    """Where the decision is to hold: shapes, scale, objective, and what fails together."""

    accelerators: Whole | None = None
    """How many accelerators one copy of the workload takes."""
    shapes: tuple[Text, ...] = ()
    """Shapes of the inputs that will occur, each as `512x512, 512x512`."""
    narrow: Text | None = None
    """Why a win on one shape alone is enough, where it covers no more."""
    service_objective: Text | None = None
    """Latency, throughput or deadline that users were promised."""
    failure_domain: Text | None = None
    """What fails together: one board, one slice, one host."""
    note: Text | None = None
    """What is still open."""


class Days(Record):
    """Engineering days as a range that a person stands for."""

    low: Annotated[int, Field(strict=True, ge=0)]
    """The least that it may take."""
    high: Whole
    """The most that it may take."""
    by: Text
    """Who estimates it."""

    @model_validator(mode="after")
    def _ordered(self) -> "Days":
        if self.low > self.high:
            raise ValueError(f"{self.low} to {self.high} days is no range; write low before high")
        return self


class Price(Record):
    """What one accelerator costs for an hour, with all that makes a price comparable."""

    option: Slug
    """Id of the option that it is the price of."""
    price: Text
    """Per accelerator-hour, as printed: `4.10 USD/h`."""
    currency: Text
    """Currency of the price."""
    region: Text
    """Where it holds."""
    term: Text
    """On demand, one year, spot."""
    date: Day
    """The day on which it was read."""
    source: Text
    """Id of a source, or where it was read."""

    @field_validator("price")
    @classmethod
    def _is_a_price(cls, value: str) -> str:
        parse_quantity(value, Metric.PRICE)
        return value


class Cost(Record):
    """Engineering and operating cost."""

    engineering: Days | None = None
    """Days of work that the choice takes."""
    operation: tuple[Price, ...] = ()
    """Prices of an accelerator-hour, one an option."""
    note: Text | None = None
    """What is still open."""


class Shares(Record):
    """Shares of run time by who wrote the kernels, in percent."""

    generated: Annotated[int, Field(strict=True, ge=0, le=100)]
    """Kernels that the compiler writes."""
    library: Annotated[int, Field(strict=True, ge=0, le=100)]
    """Kernels of a vendor's library."""
    hand_written: Annotated[int, Field(strict=True, ge=0, le=100)]
    """Kernels that somebody wrote for one kind of device."""
    evidence: Text
    """Id of the record, or the audit, that they come from."""

    @model_validator(mode="after")
    def _sum(self) -> "Shares":
        total = self.generated + self.library + self.hand_written
        if not 99 <= total <= 101:
            raise ValueError(f"the three shares add up to {total} %, not 100 %")
        return self


class Rewrites(Record):
    """How many kernels a switch would make somebody write again."""

    count: Annotated[int, Field(strict=True, ge=0)]
    """Hand-written kernels and custom calls."""
    evidence: Text
    """Id of the record, or the audit, that counts them."""


class Portability(Record):
    """What stays bound to a vendor: not counted yet, or the three numbers."""

    state: Literal["open", "counted"]
    """`open` is honest; `counted` needs all that follows."""
    shares: Shares | None = None
    """Share of run time in generated, library and hand-written kernels."""
    rewrites: Rewrites | None = None
    """Kernels to rewrite."""
    engineering_days: Days | None = None
    """Work of a switch."""
    binds: StackLayer | None = None
    """The layer whose decision is the binding one."""
    note: Text | None = None
    """What is known so far."""

    @model_validator(mode="after")
    def _counted(self) -> "Portability":
        if self.state == "counted":
            needed = ("shares", "rewrites", "engineering_days", "binds")
            missing = [name for name in needed if getattr(self, name) is None]
            if missing:
                raise ValueError(f"'counted' needs {', '.join(missing)} as well; else write 'open'")
        return self


def or_text(model: type[Record]) -> BeforeValidator:
    """Take a bare text as the note of `model`: what is open may be said in a sentence."""

    def noted(value: object) -> object:
        if not isinstance(value, str):
            return value
        if model is Portability:
            if value in ("open", "counted"):
                return {"state": value}
            return {"state": "open", "note": value}
        return {"note": value}

    return BeforeValidator(noted, json_schema_input_type=Text | model)
