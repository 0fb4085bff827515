"""
A person who decides: findings in one SQLite file, looked at and judged on a page of this machine.

Comes in: scores, run folders, data sets of a batch. Goes out: decisions that are only ever added to, and what is made
of them: agreement, labels, a baseline, drafts of controls, a signed report.
"""
