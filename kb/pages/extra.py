"""Evidence from a second folder, such as what this machine has just measured into `build/`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kb.corpus import Corpus
from kb.home import Project


def evidence_folder(folder: Path, root: Path) -> Project:
    """A project that holds nothing but the evidence records of `folder`.

    Inside `root` its files keep their paths from there, so that findings name them as the
    user knows them.
    """
    real = folder.resolve()
    inside = real.is_relative_to(root.resolve()) and real != root.resolve()
    top = root.resolve() if inside else real.parent
    name = real.relative_to(top).as_posix()
    # A record is JSON, so a search for specs and decisions in there finds nothing.
    return Project(top, specs=name, decisions=name, evidence=name)


def with_evidence(corpus: Corpus, other: Corpus) -> Corpus:
    """`corpus` with the records of `other` added.

    Records are numbered by day and folder, so two different ones may share an id. Then the
    added one goes by its id and the beginning of its hash, and neither hides the other.
    """
    records = dict(corpus.evidence)
    for key, entry in other.evidence.items():
        known = records.get(key)
        if known is None:
            records[key] = entry
        elif known.value.content_hash != entry.value.content_hash:
            records[f"{key}-{entry.value.content_hash[:8]}"] = entry
    documents = {**other.documents, **corpus.documents}
    return replace(corpus, evidence=records, documents=documents)
