"""Themes, words and the building of figures. Knows neither widgets nor training."""
