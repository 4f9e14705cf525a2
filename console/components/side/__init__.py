"""The parts of the page Side by side."""
