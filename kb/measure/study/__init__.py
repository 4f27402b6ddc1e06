"""Studies: programs side by side, shapes in buckets, what retraces, more devices."""
