"""End-to-end tests: the real bot as a process, and people who use it."""

import pytest

pytest.register_assert_rewrite("tests.e2e.people", "tests.e2e.evening")
