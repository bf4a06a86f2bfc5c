"""The decision DAG by its definition, one sample and one list at a time. Imports nothing of ecocviz."""


def decide(prefers, order):
    """Run the rounds; `prefers(r, s)` is True if the machine of r and s speaks for r.

    Returns the class that is left and the pairs that were compared.
    """
    alive = list(order)
    compared = []
    while len(alive) > 1:
        r, s = alive[0], alive[-1]
        compared.append((r, s))
        if prefers(r, s):
            alive.pop()
        else:
            alive.pop(0)
    return alive[0], compared
