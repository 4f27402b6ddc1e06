"""The fresh process of a study: reads what to do, writes a study or an error."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kb.finding import CheckError
from kb.measure.run.failure import Failed, FailureKind, of_exception
from kb.measure.run.record import now
from kb.measure.run.worker import Line, end_with_parent, fail, quiet
from kb.measure.study import buckets, lessons, messages, pair, scaling
from kb.measure.study.draft import assemble
from kb.measure.study.process import UNFIT

STUDIES = {
    "pair": pair.study,
    "buckets": buckets.study,
    "lessons": lessons.study,
    "scaling": scaling.study,
    "messages": messages.study,
}


def main(result: Path, line: str) -> int:
    """Does what `line` asks; 0, or the code of a failure that is told in `result`."""
    request = json.loads(line)
    line_of = Line(request["study"]) if request["progress"] else None
    try:
        begun = now()
        import jax  # inside, so that a backend that does not start is told as a sentence

        draft = STUDIES[request["study"]](request["params"], line_of or quiet)
        made = assemble(draft, request["command"], begun)
        first = jax.process_index() == 0
    except Failed as error:
        return fail(result, error)
    except CheckError as error:
        # A question that can't be asked, which no run would answer.
        return fail(result, Failed(FailureKind.CALLABLE_RAISED, str(error), error.remedy)) and UNFIT
    except RuntimeError as error:
        if "backend" in str(error).lower():
            text = f"JAX finds no device: {str(error).splitlines()[0]}"
            remedy = "Set JAX_PLATFORMS=cpu to use the processor."
            return fail(result, Failed(FailureKind.NO_DEVICE, text, remedy))
        return fail(result, of_exception(error, f"the study {request['study']}"))
    # Whatever a backend or a user's program raises has to reach the caller as a sentence.
    except Exception as error:  # noqa: BLE001
        return fail(result, of_exception(error, f"the study {request['study']}"))
    finally:
        if line_of is not None:
            line_of.erase()
    result.write_text(made.model_dump_json() if first else "", encoding="utf-8")
    return 0


if __name__ == "__main__":
    end_with_parent()
    sys.exit(main(Path(sys.argv[1]), sys.stdin.readline()))
