"""What a decision's rule gives today, and how far each input is from flipping it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from kb.compare import compare
from kb.corpus import Corpus, Entry
from kb.model.decision import ChoiceRule, Decision
from kb.operand import operand_of_claim
from kb.qualifiers import Metric
from kb.quantity import QuantityError, decimal_text, parse_quantity
from kb.records.dimension import ExpressionError, Value, dimension_of
from kb.records.evaluate import check, holds
from kb.records.expression import Expression, parse
from kb.source import Route
from kb.verdict import Verdict

REACH = 1000
"""How many times larger or smaller an input is tried."""
_STEPS = 120
"""Steps of the search in each direction, then halving until the point is known to a part in
10^12."""


@dataclass(frozen=True, slots=True)
class Input:
    """A cited value under the name that the rule gives it."""

    name: str
    target: str
    value: Value
    factor: Fraction
    """Base units in one printed unit."""
    unit: str

    def text(self, number: Fraction) -> str:
        """A number in base units, as this input is printed."""
        return f"{decimal_text(number / self.factor, 4)} {self.unit}"


@dataclass(frozen=True, slots=True)
class BreakEven:
    """The value of one input at which the rule gives the other option, all else equal."""

    input: Input
    flips_at: Fraction | None
    """In base units; None where no value within the reach flips the rule."""

    @property
    def change(self) -> Fraction | None:
        """How far the input would have to move, as a share of its value."""
        return None if self.flips_at is None else self.flips_at / self.input.value.number - 1

    def text(self) -> str:
        """One line: the value now, the value at which the choice flips, and the way there."""
        now = self.input.text(self.input.value.number)
        if self.flips_at is None or self.change is None:
            return f"{now}; nothing from a {REACH}th to {REACH} times of it flips the choice"
        sign = "+" if self.change > 0 else ""
        share = f"{sign}{decimal_text(self.change * 100, 3)} %"
        return f"{now}; flips at {self.input.text(self.flips_at)} ({share})"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a rule can't be applied."""

    route: Route
    message: str
    remedy: str
    within: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule gives: an option, or the faults that keep it from giving one."""

    option: str | None
    break_evens: tuple[BreakEven, ...] = ()
    faults: tuple[Fault, ...] = ()


def apply(entry: Entry[Decision], corpus: Corpus) -> Outcome | None:
    """Apply a decision's rule to what is cited now; None where it has no rule."""
    rule = entry.value.rule
    if rule is None:
        return None
    inputs: dict[str, Input] = {}
    faults = list(_options(entry.value, rule))
    for name, target in rule.inputs.items():
        found = _resolve(name, target, entry.value, corpus)
        if isinstance(found, Fault):
            faults.append(found)
        else:
            inputs[name] = found
    if faults:
        return Outcome(None, (), tuple(faults))
    try:
        expression = parse(rule.when)
        check(expression, {name: item.value.dimension for name, item in inputs.items()})
        values = {name: item.value for name, item in inputs.items()}
        option = _chosen(rule, expression, values)
    except ExpressionError as error:
        return Outcome(None, (), (_fault(error),))
    faults += _mixed(inputs, corpus)
    if faults:
        return Outcome(None, (), tuple(faults))
    used = [inputs[name] for name in expression.names]
    points = tuple(BreakEven(item, _flip(item, expression, values)) for item in used)
    return Outcome(option, points)


def _chosen(rule: ChoiceRule, expression: Expression, values: Mapping[str, Value]) -> str:
    return rule.choose if holds(expression, values) else rule.otherwise


def _options(decision: Decision, rule: ChoiceRule) -> Iterator[Fault]:
    known = [option.id for option in decision.options]
    for field in ("choose", "otherwise"):
        if getattr(rule, field) not in known:
            message = f"the rule chooses '{getattr(rule, field)}', which is no option"
            yield Fault(("rule", field), message, f"write one of {', '.join(known) or 'none'}")


def _fault(error: ExpressionError) -> Fault:
    return Fault(("rule", "when"), str(error), error.remedy, (error.start, error.end))


def _resolve(name: str, target: str, decision: Decision, corpus: Corpus) -> Input | Fault:
    route: Route = ("rule", "inputs", name)
    if target.startswith("cost:"):
        return _price(name, target, decision, route)
    if target in corpus.claims:
        claim = corpus.claims[target].claim
        try:
            quantity = claim.current.quantity(claim.metric)
        except QuantityError as error:
            return Fault(route, f"{target}: {error}", error.remedy)
        value = Value(quantity.base, dimension_of(quantity.unit.dimension))
        return Input(name, target, value, quantity.unit.factor, quantity.unit.symbol)
    record, _, field = target.partition("#")
    if record in corpus.evidence:
        medians = {f"{m.boundary}.median": m for m in corpus.evidence[record].value.measurements}
        if field in medians:
            exact = Fraction(repr(medians[field].median))
            return Input(name, target, Value(exact, (("time", 1),)), Fraction(1, 1000), "ms")
        return Fault(
            route,
            f"{record} has no field '{field}'",
            f"write {record}#<field> with one of {', '.join(medians)}",
        )
    return Fault(
        route,
        f"'{target}' is no claim and no evidence record",
        "write a claim id, <evidence>#<boundary>.median, or cost:<option>",
    )


def _price(name: str, target: str, decision: Decision, route: Route) -> Input | Fault:
    option = target.removeprefix("cost:")
    prices = decision.cost.operation if decision.cost else ()
    price = next((item for item in prices if item.option == option), None)
    if price is None:
        return Fault(route, f"no price of '{option}' is stated", "add it to cost.operation")
    quantity = parse_quantity(price.price, Metric.PRICE)
    value = Value(quantity.base, dimension_of(quantity.unit.dimension))
    return Input(name, target, value, quantity.unit.factor, quantity.unit.symbol)


def _mixed(inputs: Mapping[str, Input], corpus: Corpus) -> Iterator[Fault]:
    """Claims of one kind that may not be set against each other without a step."""
    cited = [item for item in inputs.values() if item.target in corpus.claims]
    for one, other in combinations(cited, 2):
        left, right = corpus.claims[one.target], corpus.claims[other.target]
        if left.claim.metric is not right.claim.metric or left.id == right.id:
            continue
        verdict = compare(operand_of_claim(left), operand_of_claim(right), corpus)
        if not verdict.allows_ratio or any(step.factor != 1 for step in verdict.derivation):
            yield Fault(
                ("rule", "inputs", other.name),
                f"{left.id} against {right.id}: {_why(verdict)}",
                "use claims of one scope, direction and sparsity in one rule",
            )


def _why(verdict: Verdict) -> str:
    if verdict.reasons:
        return verdict.reasons[0].why
    return "; ".join(step.step for step in verdict.derivation)


def _flip(item: Input, expression: Expression, values: Mapping[str, Value]) -> Fraction | None:
    """The nearest value of one input, up or down, at which the expression changes."""
    now = holds(expression, values)

    def same(factor: Fraction) -> bool:
        moved = replace(item.value, number=item.value.number * factor)
        try:
            return holds(expression, {**values, item.name: moved}) == now
        except ExpressionError:
            return True  # a divisor that comes to zero decides nothing

    step = Fraction(REACH ** (1 / _STEPS)).limit_denominator(10**6)
    near: list[Fraction] = []
    for factor in (step, 1 / step):
        last, trial = Fraction(1), factor
        for _ in range(_STEPS):
            if not same(trial):
                near.append(_between(last, trial, same))
                break
            last, trial = trial, (trial * factor).limit_denominator(10**12)
    if not near:
        return None
    # As far as a factor: half is as far as double.
    nearest = min(near, key=lambda found: max(found, 1 / found))
    return item.value.number * nearest


def _between(kept: Fraction, flipped: Fraction, same: Callable[[Fraction], bool]) -> Fraction:
    """The point between the two factors at which `same` changes, to a part in 10^12."""
    while abs(kept - flipped) > kept / 10**12:
        middle = ((kept + flipped) / 2).limit_denominator(10**15)
        if middle in (kept, flipped):
            break
        if same(middle):
            kept = middle
        else:
            flipped = middle
    return kept.limit_denominator(10**9)
