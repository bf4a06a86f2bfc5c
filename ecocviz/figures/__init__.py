"""Figures: records in, plotly figures and sentences out. Knows neither widgets nor training."""
