"""Ways of finding the coefficients of all columns; `choice` picks one."""
