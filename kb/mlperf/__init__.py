"""Reading MLPerf files: what MLCommons publishes becomes results, oddities stay visible.

This room reads and never judges: it sees shapes, quantities and the catalogue's names, and
neither comparisons nor rules. Whatever is odd about a row is a flag on its result; whatever
can't be a result is left out with a reason, and the tally says so.
"""

from kb.mlperf.record import imported, selection
from kb.mlperf.take import Taken, take

__all__ = ["Taken", "imported", "selection", "take"]
