"""Child processes that draw what a model wrote: a web page by Qt WebEngine, a chart by Vega-Lite."""
