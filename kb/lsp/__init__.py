"""The editor server: what `kb check` and `kb lint` say, while a text is being typed.

It judges the open texts instead of the saved ones. The wire is pygls's; everything else here
is plain functions over a corpus and a text.
"""
