"""The sources of a build as documents."""
