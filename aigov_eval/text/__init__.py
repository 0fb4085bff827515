"""Text as the detectors see it: normalised views with maps back to the source, and its structure."""
