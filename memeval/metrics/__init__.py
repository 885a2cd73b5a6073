"""What a ranking and a display are worth: pure functions over ids and grades."""
