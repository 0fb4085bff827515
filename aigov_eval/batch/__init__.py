"""Many transcripts at once."""
