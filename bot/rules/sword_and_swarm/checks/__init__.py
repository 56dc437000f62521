"""The tests that are made, and their re-rolls."""
