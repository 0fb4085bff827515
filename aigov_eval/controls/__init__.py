"""Controls: lint, check, mutate, new and the pages that are made from a pack."""
