"""
A second opinion: a language model reads turns on which the rules are in doubt, and its word is evidence too.

Rooms, in the order of the way: `config` (who is asked), `turns` (which turns), `masking`, `places` and `prompt` (what is asked),
`asking`, `cost` and `store` (sending, bounded and kept), `answer` and `heard` (what comes back), `deciding`, `findings` and `block` (what it changes),
`second` (one conversation from end to end, without any network), `evidence` and `folder` (what is left for an auditor).
Nothing here is imported without `--second-opinion`.
"""
