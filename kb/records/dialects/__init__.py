"""Decision records of other habits, such as MADR, Nygard, RFC-822, kep.yaml and Log4brains.

They are read from any folder and judged by what their own log can say: nothing here asks
for our fields. Each file is told by its own shape, since logs mix dialects.
"""

from kb.records.dialects.folder import Log, read_logs
from kb.records.dialects.judge import judge_log
from kb.records.dialects.record import Foreign

__all__ = ["Foreign", "Log", "judge_log", "read_logs"]
