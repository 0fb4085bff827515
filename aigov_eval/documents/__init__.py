"""Strict YAML documents: their parser with the place of every part, the schemas that they follow, and the issues found in them."""
