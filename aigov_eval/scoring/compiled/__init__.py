"""A pack compiled for scoring, and kept between runs."""
