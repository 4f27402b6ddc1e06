"""What an expression comes to: its dimensions checked first, then exact fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kb.records.dimension import Dimension, ExpressionError, Value, dimension_from, shown
from kb.records.expression import Comparison, Constant, Expression, Name, Part


def check(expression: Expression, inputs: Mapping[str, Dimension]) -> None:
    """Raise `ExpressionError` where dimensions don't fit or a name stands for nothing."""
    for item in expression.comparisons:
        left, right = _dimension(item.left, inputs), _dimension(item.right, inputs)
        if left != right:
            message = f"{shown(left)} is compared with {shown(right)}"
            remedy = "bring both sides to one dimension"
            raise ExpressionError(message, remedy, item.start, item.end)


def holds(expression: Expression, inputs: Mapping[str, Value]) -> bool:
    """Whether the expression holds; it must have passed `check`."""
    return any(all(_compared(item, inputs) for item in way) for way in expression.ways)


def value_of(part: Part, inputs: Mapping[str, Value]) -> Fraction:
    """The number that a part comes to, in base units."""
    if isinstance(part, Constant):
        return part.value.number
    if isinstance(part, Name):
        return inputs[part.name].number
    left, right = value_of(part.left, inputs), value_of(part.right, inputs)
    match part.op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    if right == 0:
        message = "the divisor comes to zero"
        raise ExpressionError(message, "correct the rule", part.start, part.end)
    return left / right


def _compared(item: Comparison, inputs: Mapping[str, Value]) -> bool:
    left, right = value_of(item.left, inputs), value_of(item.right, inputs)
    match item.op:
        case ">=":
            return left >= right
        case "<=":
            return left <= right
        case ">":
            return left > right
    return left < right


def _dimension(part: Part, inputs: Mapping[str, Dimension]) -> Dimension:
    if isinstance(part, Constant):
        return part.value.dimension
    if isinstance(part, Name):
        if part.name not in inputs:
            message = f"'{part.name}' is no input"
            remedy = f"use one of {', '.join(inputs)}, or add it to 'inputs'"
            raise ExpressionError(message, remedy, part.start, part.end)
        return inputs[part.name]
    left, right = _dimension(part.left, inputs), _dimension(part.right, inputs)
    if part.op in "+-":
        if left != right:
            verb = "added to" if part.op == "+" else "subtracted from"
            first, second = (left, right) if part.op == "+" else (right, left)
            message = f"{shown(first)} is {verb} {shown(second)}"
            raise ExpressionError(message, "add only what is of one kind", part.start, part.end)
        return left
    sign = 1 if part.op == "*" else -1
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + sign * power
    return dimension_from(powers)
