"""The app with a class in it: recorded lessons, played again by many browsers at once. Linux only."""
