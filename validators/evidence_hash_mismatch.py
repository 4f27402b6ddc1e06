"""The content of an evidence record is not what its hash was taken of.

**Why.** The hash is written together with the record. Where it no longer fits, somebody
changed a number, a version or a sentence after the run, or the file was damaged.

**Refused**

```yaml evidence as written
command: kb measure run matmul-512-f32 --samples 40
```

**Accepted**

```yaml evidence
command: kb measure run matmul-512-f32 --samples 40
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.evidence import Evidence
from kb.model.gates import content_hash
from kb.rules import Problem, rule


@rule(over="evidence")
def evidence_hash_mismatch(entry: Entry[Evidence], _: Corpus) -> Iterator[Problem]:
    """Yield records whose stored hash differs from that of their content."""
    record = entry.value
    digest = content_hash(record)
    if record.content_hash != digest:
        yield Problem(
            entry.place.at("content_hash"),
            f"{record.id} stores the hash {record.content_hash[:12]}… and its content gives "
            f"{digest[:12]}…",
            "restore the file as it was written, or measure again; evidence is never edited",
            label="the record was altered",
        )
