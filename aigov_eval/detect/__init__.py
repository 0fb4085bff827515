"""Text to mentions: gate, words, patterns and backends. Finds what is there, without an opinion."""
