"""Summaries, units and rules as plain data and back: the larger part of the cache."""

from __future__ import annotations

from pathlib import Path

from kb.checking.encode import (
    Plain,
    day_in,
    day_out,
    listed,
    located_in,
    located_out,
    many,
    mark_in,
    mark_out,
    place_in,
    place_out,
    text,
    texts,
    whole,
)
from kb.checking.summary import Declared, Summary
from kb.corpus import Naming
from kb.finding import Severity
from kb.qualifiers import Layer, Scope
from kb.rules.catalogue import RuleText
from kb.rules.collect import Late, Rule
from kb.rules.declare import Declared as DeclaredRule
from kb.rules.unit import Unit
from kb.rules.waive import Waiver

NOTHING: Plain = [[], [], [0, 0, 0], []]
"""A unit in which nothing was found, as most are."""
EMPTY = Unit()
LAYERS = {layer.value: layer for layer in Layer}


def summary_out(summary: Summary) -> Plain:
    """A summary."""
    return [
        summary.text,
        many(summary.declared, _declared_out),
        many(summary.found, located_out),
        many(summary.doubled, located_out),
    ]


def summary_in(data: Plain) -> Summary:
    """A summary."""
    digest, declared, found, doubled = data
    return Summary(
        None if digest is None else text(digest),
        listed(declared, _declared_in),
        listed(found, located_in) if found else (),
        listed(doubled, located_in) if doubled else (),
    )


def _declared_out(declared: Declared) -> Plain:
    naming = declared.naming
    return [
        declared.kind,
        declared.key,
        declared.digest,
        [part for claim in declared.claims for part in claim],
        None if naming is None else _naming_out(naming),
    ]


def _declared_in(data: Plain) -> Declared:
    kind, key, digest, claims, naming = data
    parts = texts(claims)
    return Declared(
        text(kind),
        text(key),
        text(digest),
        tuple(zip(parts[::2], parts[1::2], strict=True)),
        None if naming is None else _naming_in(naming),
    )


def _naming_out(naming: Naming) -> Plain:
    return [
        naming.product,
        naming.name,
        naming.vendor,
        naming.layer.value,
        naming.accelerator and naming.accelerator.value,
        list(naming.aliases),
        list(naming.not_to_be_confused_with),
        naming.own,
        place_out(naming.place),
    ]


def _naming_in(data: Plain) -> Naming:
    product, name, vendor, layer, accelerator, aliases, confused, own, place = data
    return Naming(
        text(product),
        text(name),
        text(vendor),
        LAYERS[layer],
        None if accelerator is None else Scope.of(accelerator),
        texts(aliases),
        texts(confused),
        own is True,
        place_in(place),
    )


def unit_out(unit: Unit) -> Plain:
    """What was found in one file, where nothing crashed."""
    waivers = [[_waiver_out(waiver), mark_out(mark)] for waiver, mark in unit.waivers]
    counts = [unit.claims_open, unit.undetermined, unit.unjudged]
    return [many(unit.found, located_out), waivers, counts, list(unit.stopped)]


def unit_in(data: Plain) -> Unit:
    """What was found in one file."""
    if data == NOTHING:
        return EMPTY
    found, waivers, counts, stopped = data
    claims_open, undetermined, unjudged = listed(counts, whole)
    return Unit(
        listed(found, located_in),
        listed(waivers, lambda item: (_waiver_in(item[0]), mark_in(item[1]))),
        claims_open,
        undetermined,
        unjudged,
        stopped=listed(stopped, text),
    )


def _waiver_out(waiver: Waiver) -> Plain:
    return [
        place_out(waiver.place),
        waiver.line,
        waiver.slug,
        waiver.reason,
        day_out(waiver.until),
        waiver.malformed,
    ]


def _waiver_in(data: Plain) -> Waiver:
    place, line, slug, reason, until, malformed = data
    return Waiver(
        place_in(place), whole(line), text(slug), text(reason), day_in(until), text(malformed)
    )


def rule_out(rule: Rule) -> Plain:
    """A rule without its function."""
    said = rule.text
    return [
        rule.slug,
        str(rule.path),
        rule.declared.over,
        rule.declared.severity.value,
        list(rule.declared.needs),
        [said.message, said.why, said.refused, said.accepted],
    ]


def rule_in(data: Plain) -> Rule:
    """A rule whose file is as it was; it is run when the rule is first asked."""
    slug, path, over, severity, needs, said = data
    file = Path(text(path))
    declared = DeclaredRule(over, Severity(severity), Late(file), texts(needs))
    return Rule(text(slug), declared, RuleText(*texts(said)), file)
