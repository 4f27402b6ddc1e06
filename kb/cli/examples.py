"""Examples of every command, as `kb COMMAND --help` shows them and a test runs them."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "init": ("kb init", "kb init atlas --name Atlas --without gitlab", "kb init --show mkdocs.yml"),
    "check": (
        "kb check",
        "kb check specs/google --format github",
        "kb check --also sarif=build/kb.sarif --also markdown=build/summary.md",
        "kb check --watch",
        "kb check --decisions docs/adr",
    ),
    "show": (
        "kb show tpu-v6e",
        "kb show tpu-v6e/chip-hbm-bandwidth --json",
        "kb show hgx-b200 --derived",
    ),
    "list": ("kb list products", "kb list claims --json", "kb list units"),
    "compare": (
        "kb compare hgx-b200/gpu-hbm-bandwidth tpu-v6e/chip-hbm-bandwidth",
        "kb compare hgx-b200/board-nvlink-bandwidth tpu-v6e/chip-ici-bandwidth --json",
    ),
    "lint": ("kb lint README.md docs/", "kb lint --format github docs/"),
    "fix": ("kb fix", "kb fix --apply decisions/0001-*.md"),
    "rules": ("kb rules", "kb rules --json", "kb rules --test"),
    "explain": ("kb explain memory-versus-link", "kb explain dense-versus-sparse --json"),
    "diff": ("kb diff 2024-01-01 2026-11-30",),
    "export": ("kb export --format csv --out build/claims.csv",),
    "review": ("kb review",),
    "fit": ("kb fit --parameters 70e9 --type bf16 hgx-b200",),
    "roofline": (
        (
            "kb roofline --flops 1e15 --bytes 40GB --compute tpu-v6e/chip-peak-bf16 "
            "--memory tpu-v6e/chip-hbm-bandwidth"
        ),
    ),
    "measure": ("kb measure list", "kb measure device", "kb measure run matmul-512-f32"),
    "audit": ("kb audit kb/measure",),
    "index": ("kb index build", "kb index search v6e bandwidth"),
    "query": ("kb query 'select id, published from claim limit 5'",),
    "new": ("kb new decision --title 'Shard by rows or by columns' --question 'Which is it?'",),
    "status": ("kb status", "kb status 0001"),
    "supersede": ("kb supersede 0001 0002 --note 'measured at scale'",),
    "log": ("kb log",),
    "graph": ("kb graph",),
    "impact": ("kb impact tpu-v6e/chip-hbm-bandwidth",),
    "import": ("kb import decisions docs/adr --dry-run",),
    "render": ("kb render --out build/pages",),
    "lsp": ("kb lsp",),
    "mcp": ("kb mcp",),
    "serve": ("kb serve", "kb serve --address 127.0.0.1:8001"),
    "completion": ("kb completion bash", 'eval "$(kb completion zsh)"'),
    "schema": ("kb schema --check", "kb schema --out build/schemas"),
}
"""By command; the first one is the most usual."""
