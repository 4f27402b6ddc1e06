"""Texts for the findings that no validator makes: reading files, waivers, baselines.

These slugs are reserved: `kb explain` knows them, and no validator may take one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.finding import Severity
from kb.rules.result import RuleNote


@dataclass(frozen=True, slots=True)
class Told:
    """A finding of the reader of the files, of the waivers or of a baseline, explained."""

    message: str
    why: str
    remedy: str


READING: dict[str, Told] = {
    "unreadable-file": Told(
        "A file can't be read as UTF-8 text inside the project.",
        "What can't be read was not checked. A link that leads out of the project would pull in "
        "content that nobody reviews with it.",
        "Save the file as UTF-8 without control characters, at most 8 MB, inside the project.",
    ),
    "invalid-yaml": Told(
        "A file or a front matter is no valid YAML.",
        "Nothing in it was read, so nothing in it was judged.",
        "Correct the syntax; a text with ': ' or '#' in it needs quotes.",
    ),
    "invalid-json": Told(
        "An evidence record is no valid JSON, or writes a key twice.",
        "Evidence is written by a machine; a broken file was cut short or edited.",
        "Measure again, or restore the file. Evidence is never written by hand.",
    ),
    "front-matter": Told(
        "A decision does not begin with closed front matter.",
        "The fields of a decision stand between two lines '---' at the top of the file.",
        "Begin the file with '---', the fields, and '---'.",
    ),
    "duplicate-key": Told(
        "A key is written twice in one mapping.",
        "YAML readers silently keep the last one, so a number could be replaced unseen.",
        "Keep one of the two.",
    ),
    "duplicate-id": Told(
        "Two records have the same id.",
        "An id names exactly one record; with two, nobody knows which one a decision cites.",
        "Rename or remove one of the two.",
    ),
    "replaced-record": Told(
        "A product or source of the project takes the place of the one that came with kb.",
        "Comparisons and decisions that name it then speak of other figures than the same "
        "names do elsewhere.",
        "Write only the claims that differ, in a file with `overrides: <product>` and `reason: …`; "
        "or give the record an id of its own.",
    ),
    "misplaced-override": Told(
        "An override corrects nothing that came with kb, or says nothing new.",
        "An override departs from the installed catalogue on purpose and with a reason. One that "
        "meets no installed product, or repeats what is installed, has no effect that anybody "
        "could review.",
        "Name an installed product, in a file that is called like it, and write only the claims "
        "that differ.",
    ),
    "odd-key": Told(
        "A key is no plain word, or is the merge key '<<'.",
        "Merged fields have no place of their own, so no finding could point at them.",
        "Write the fields out under plain keys.",
    ),
    "tagged-value": Told(
        "A value carries a YAML tag.",
        "Tags make readers construct things other than text, numbers, lists and mappings.",
        "Remove the tag and write a plain value.",
    ),
    "ambiguous-scalar": Told(
        "A plain value is read in different ways by different YAML readers.",
        "In YAML 1.1 010 is 8, 1e3 is a text, 12:30 is 750 and no is false. A value that "
        "changes on its way in is worse than one that is missing.",
        "Put a text in quotes; write a number with plain digits.",
    ),
    "hidden-character": Told(
        "A text holds a control character, or one that turns the direction of writing.",
        "A reviewer sees another text than a program reads, and a terminal may obey it.",
        "Remove the character or its escape.",
    ),
    "oversized-document": Told(
        "Aliases or nesting make a document too large.",
        "A few lines of aliases can expand to gigabytes, or contain themselves.",
        "Write the values out, at most 60 levels deep.",
    ),
    "further-findings": Told(
        "A file has more findings than a report lists, or than a rule looks for.",
        "One mistake at the top of a file can be found again on every line below, and a report "
        "of a hundred thousand lines helps nobody.",
        "Correct the findings that are listed, and check again.",
    ),
    "missing-field": Told(
        "A field that every such record needs is missing.",
        "The record was not read, so nothing that refers to it could be judged.",
        "Add the field.",
    ),
    "unknown-field": Told(
        "A field has a name that such a record doesn't know.",
        "A misspelt field would otherwise be ignored, and its qualifier with it.",
        "Correct the name, or remove the field.",
    ),
    "unknown-word": Told(
        "A value is not one of the words that its field allows.",
        "Qualifiers are closed sets of words, so that two specifications can be compared.",
        "Use one of the words that the message lists; `unstated` where a source is silent.",
    ),
    "wrong-type": Told(
        "A value has another type than its field.",
        "Nothing is converted silently, since 0001 and 1 are different ids.",
        "Write the type that the message names; put texts that look like numbers in quotes.",
    ),
    "malformed-value": Told(
        "A value does not have the form of its field.",
        "Ids, dates and the like have one spelling, so that they can be found and sorted.",
        "Write it in the form that the message shows.",
    ),
}
"""Findings made while files are read."""

WAIVING: dict[str, Told] = {
    "malformed-waiver": Told(
        "A comment looks like a waiver and can't be read as one.",
        "A waiver that is not understood silences nothing, and its author believes it does.",
        "Write `# kb: ignore[<slug>] <reason>`, with `until 2026-12-31` before the reason if "
        "it shall end.",
    ),
    "waiver-without-reason": Told(
        "A waiver gives no reason.",
        "A silenced rule without a reason can't be reviewed, so it silences nothing.",
        "Write the reason behind the bracket: `# kb: ignore[<slug>] <reason>`.",
    ),
    "unused-waiver": Told(
        "A waiver silences nothing.",
        "It would hide the next real finding at this place.",
        "Remove the comment, or move it to the line it is meant for.",
    ),
    "expired-waiver": Told(
        "A waiver has passed its last day.",
        "It was granted until a day; from then on the finding counts again.",
        "Correct what it silenced, or agree on a new day and a reason.",
    ),
}
"""Findings about waiver comments."""

BASELINE: dict[str, Told] = {
    "stale-baseline-entry": Told(
        "A baseline lists a finding that no longer occurs.",
        "A baseline may only shrink. An entry that stays behind would hide the same mistake when "
        "somebody makes it again.",
        "Run the check again with `--write-baseline`, which takes the entry out.",
    ),
}
"""Findings about a baseline file."""

RESERVED: dict[str, Told] = READING | WAIVING | BASELINE
"""Every slug that belongs to no validator."""


def told_notes() -> Iterator[RuleNote]:
    """What a report says about the slugs that belong to no validator."""
    for slug, told in RESERVED.items():
        mild = slug in ("unused-waiver", "replaced-record")
        severity = Severity.WARNING if mild else Severity.ERROR
        yield RuleNote(slug, severity, told.message, f"{told.why}\n\n{told.remedy}", ran=False)
