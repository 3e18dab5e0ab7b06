"""The protocol of infini-gram's API and of OLMoTrace's page."""
