"""No test of this folder may look for a GPU."""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
