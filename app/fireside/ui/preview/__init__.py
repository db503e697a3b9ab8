"""What a model wrote, shown as a page, a diagram or a chart."""
