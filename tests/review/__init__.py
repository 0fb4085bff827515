"""Tests of the review: a person who decides."""
