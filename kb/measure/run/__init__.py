"""One measurement on the device at hand, in a process that was started for it."""
