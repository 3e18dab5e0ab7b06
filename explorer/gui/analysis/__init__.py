"""The tab of an analysis that the registry lists: a form, a table and a chart, all from its declarations."""
