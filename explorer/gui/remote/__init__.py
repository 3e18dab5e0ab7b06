"""Indexes on other machines in the window: whom queries may be sent to, and the dialog that opens them."""
