"""The life of a decision: transitions, seals, pins, supersession, sensitivity, and dialects.

Judging is pure and looks at the corpus only. Two rooms inside touch the disk: `write`
changes files, all or none of them, and `history` asks git.
"""
