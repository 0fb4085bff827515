"""
Scenarios against targets: plan, ask, journal every answer, score, write the run's folder.

Comes in: scenarios, a target, a pack. Goes out: a folder with a plan, one folder per run
(`transcript.json`, `scores.json`, `run_meta.json`, `evidence_pack.json`) and `summary.json`.
"""
