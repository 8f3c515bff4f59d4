"""Pages about results: tables in a paper's layout, plots, reports."""
