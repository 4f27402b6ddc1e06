"""Prose: quantities and citations in text, and whether they agree with the catalogue."""

from kb.prose.answer import Answer, answer
from kb.prose.known import Known, known
from kb.prose.remark import Remark

__all__ = ["Answer", "Known", "Remark", "answer", "known"]
