"""No test of this folder may look for a device."""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
