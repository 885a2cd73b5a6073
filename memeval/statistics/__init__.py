"""What can be said of needs that were not asked: intervals and tests, as pure functions of numbers."""
