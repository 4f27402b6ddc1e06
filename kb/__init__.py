"""accelerator-kb."""
