# From a paper's table to a law, its proof, a picture and a game of your own: marimo edit scripts/notebook.py
# Needs the package seedbank (pip install .) and scripts/requirements.txt.

import marimo

app = marimo.App(width="medium")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    mo.md(
        """
        # A table of "Sowing Games"

        Table 5 of Jeff Erickson's paper lists the values of the rows `xy` of Atomic Wari: two adjacent pots with x and y seeds.
        A job computes them, here a few more. Its spec is a dict; the rows are a data frame.
        """
    )
    return (mo,)


@app.cell
def _():
    import tempfile
    from pathlib import Path

    import seedbank
    from seedbank import Value

    scratch = tempfile.TemporaryDirectory()
    folders = {"out": Path(scratch.name) / "results", "store": Path(scratch.name) / "store"}
    return Value, folders, scratch, seedbank


@app.cell
def _(folders, seedbank):
    pairs = {
        "name": "two-pots",
        "ruleset": {"game": "atomic-wari", "play": "partisan"},
        "family": {"pattern": "x y", "x": "1..=12", "y": "1..=12"},
    }
    seedbank.run(pairs, **folders)
    rows = seedbank.read(pairs, out=folders["out"])
    rows.pivot(on="y", index="x", values="value")
    return (rows,)


@app.cell
def _(Value, rows):
    # Each text is a value: how do the commonest ones compare?
    commonest = rows.group_by("value").len().sort("len", "value", descending=True)["value"][:6]
    values = [Value(text) for text in commonest]
    {str(g): {str(h): g.compare(h) for h in values} for g in values}
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(
        """
        ## A law and its proof

        Theorem 2.5 of the paper is about Sowing. `mine` finds it in 36 rows, and `prove` proves it for all m and n.
        """
    )
    return


@app.cell
def _(folders, seedbank):
    switches = {
        "name": "switches",
        "ruleset": {"game": "sowing", "play": "partisan"},
        "family": {"pattern": "(10)^m 2 (01)^n", "m": "1..=6", "n": "1..=6"},
    }
    seedbank.run(switches, **folders)
    [column] = seedbank.mine(switches, out=folders["out"])
    [law] = column["laws"]
    law["law"], law["standing"], law["confidence"]
    return column, law


@app.cell
def _(column, law, mo, seedbank):
    # The cases of the law are its values; it holds from m = n = 1 on.
    proof = seedbank.command(
        "prove", column["subject"], game="sowing", play="partisan", value=law["cases"][0], least="m=1,n=1"
    )
    mo.plain_text(proof)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(
        """
        ## A picture

        The thermograph of a sum of two of these switches, and one of the first.
        """
    )
    return


@app.cell
def _(Value, mo):
    total = Value("{3|-1}") + Value("{2|1}")
    mo.hstack([total, total.thermograph(), Value("{3|-1}").thermograph()], justify="start")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(
        """
        ## A game of your own

        Clobber on a strip: Left moves a white stone onto a neighbouring black one and removes it; Right moves black stones.
        """
    )
    return


@app.cell
def _(seedbank):
    class Clobber:
        def moves(self, strip, mover, other):
            for place, stone in enumerate(strip):
                for to in (place - 1, place + 1):
                    if stone == mover and 0 <= to < len(strip) and strip[to] == other:
                        moved = list(strip)
                        moved[place], moved[to] = ".", mover
                        yield "".join(moved)

        def left(self, strip):
            return self.moves(strip, "o", "x")

        def right(self, strip):
            return self.moves(strip, "x", "o")

    strips = ["ox" * n + "o" for n in range(1, 6)]
    clobber = seedbank.evaluate(Clobber(), strips)
    [{"strip": strip, "value": str(clobber[strip]), "atomic weight": str(clobber[strip].atomic_weight())} for strip in strips]
    return (clobber,)


@app.cell
def _(clobber):
    # All strips met on the way are there, too.
    kinds = {}
    for value in clobber.values():
        kinds[value.kind()] = kinds.get(value.kind(), 0) + 1
    kinds
    return


if __name__ == "__main__":
    app.run()
