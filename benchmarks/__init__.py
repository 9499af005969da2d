"""Each figure beside its rival, measured in the same run: `make bench`."""
