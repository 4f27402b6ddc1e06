"""People in records: by name. An address is for git, and no page or record needs it."""

from __future__ import annotations

import re

from kb.model.decision import Decision

_ADDRESS = re.compile(  # begins where blanks or a word begin, so that each is read once
    r"(?<!\s)\s*+[<(\[]?\s*+(?:mailto:)?(?<![\w.!#$%&'*+/=?^`{|}~-])"
    r"(?P<local>[\w.!#$%&'*+/=?^`{|}~-]++)@[\w-]+(?:\.[\w-]+)*\s*[>)\]]?"
)


def name_of(person: str) -> str:
    """Somebody's name without an e-mail address; of an address alone, the part before the `@`."""
    found = _ADDRESS.search(person)
    if found is None:
        return person.strip()
    return _ADDRESS.sub("", person).strip() or found["local"]


def without_addresses(decision: Decision) -> Decision:
    """A decision as it is published: whoever wrote an address into the record is a name there."""
    return decision.model_copy(
        update={
            "decision_makers": tuple(map(name_of, decision.decision_makers)),
            "consulted": tuple(map(name_of, decision.consulted)),
            "informed": tuple(map(name_of, decision.informed)),
            "log": tuple(
                line.model_copy(update={"by": name_of(line.by) if line.by else None})
                for line in decision.log
            ),
            "approvals": tuple(
                item.model_copy(update={"by": name_of(item.by)}) for item in decision.approvals
            ),
        }
    )
