"""``report.html``: what an output folder holds, as one page for a browser."""
