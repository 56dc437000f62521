"""The real bot as a process, and people around it."""

import pytest

pytest.register_assert_rewrite("tests.e2e.people", "tests.e2e.evening")
