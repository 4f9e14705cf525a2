"""Speed as ratios: both sides in one run, interleaved, medians or best of several. `make bench`."""
