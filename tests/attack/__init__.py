"""The standing attack suite: bounded by default, as long as AIGOV_ATTACK says (a factor; 1 without it)."""
