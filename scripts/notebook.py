# From a paper's table to a query and a plot: marimo edit scripts/notebook.py
# Needs the package seedbank (pip install .) and scripts/requirements.txt.

import marimo

app = marimo.App(width="medium")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    mo.md(
        """
        # Two pots of Atomic Wari

        Table 5 of Jeff Erickson's "Sowing Games" lists the values of the positions `xy`: two adjacent pots with x and y seeds. The job
        `table-5` computes them.
        """
    )
    return (mo,)


@app.cell
def _():
    import tempfile
    from pathlib import Path

    import seedbank

    seedbank.eval(["12", "[12] 3"], game="atomic-wari", play="partisan")
    return Path, seedbank, tempfile


@app.cell
def _(Path, seedbank, tempfile):
    # A spec of our own: more seeds than the paper has.
    folder = Path(tempfile.mkdtemp())
    spec = folder / "two-pots.toml"
    spec.write_text(
        """
        name = "two-pots"
        [ruleset]
        game = "atomic-wari"
        play = "partisan"
        [family]
        pattern = "x y"
        x = "1..=12"
        y = "1..=12"
        """
    )
    finished = seedbank.run(spec, out=folder / "results", store=folder / "store")
    rows = seedbank.read(spec, out=folder / "results")
    finished["rows"], rows.select("x", "y", "value", "outcome", "atomic_weight_number")
    return folder, rows, spec


@app.cell
def _(folder):
    # The same rows in SQL: which values occur, and how often?
    import duckdb

    counts = duckdb.sql(f"""
        SELECT value, count(*) AS positions, min(x + y) AS seeds_min
        FROM '{folder}/results/two-pots/parts/*.parquet'
        GROUP BY value ORDER BY positions DESC, value
    """).pl()
    counts
    return (counts,)


@app.cell
def _(rows):
    # And as a picture: the atomic weight of each position.
    import matplotlib.pyplot as plt

    weights = rows.pivot(on="y", index="x", values="atomic_weight_number").drop("x")
    figure, axes = plt.subplots()
    image = axes.imshow(weights, cmap="RdBu", origin="upper", extent=(0.5, 12.5, 12.5, 0.5))
    axes.set(title="Atomic weights of xy", xlabel="y", ylabel="x")
    figure.colorbar(image)
    figure
    return (figure,)


if __name__ == "__main__":
    app.run()
