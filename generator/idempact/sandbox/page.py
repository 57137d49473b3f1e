"""The log as a page for a person: no script, nothing loaded, every text of a request escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from idempact.resources.typed import TYPE_CHECKING
from idempact.sandbox.journal import instant

if TYPE_CHECKING:
    from idempact.sandbox.app import App

_STYLE = """
:root { color-scheme: light dark; --line: #8886; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dd { margin: 0; }
div { overflow-x: auto; }
table { border-collapse: collapse; min-width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
td { max-width: 24rem; }
th { position: sticky; top: 0; background: Canvas; }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: break-word; white-space: pre-wrap; }
code { unicode-bidi: isolate; }
"""


def page(app: App) -> str:
    """The page, whole."""
    name = escape(str(app.contract.api.name))
    facts = (
        ("Clock", instant(app.clock.now())),
        ("Effects made", str(app.effects())),
        ("Store", "available" if app.store_available else "unavailable, as told"),
        ("Faults waiting", str(len(app.script))),
    )
    listed = "".join(f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in facts)
    effects = _table(
        "What was done", ("Operation", "Effect", "Times"), ((o, p, str(c)) for o, p, c in app.store.effects())
    )
    records = _table(
        "Keys",
        ("Key", "Operation", "State"),
        ((record.identity.key, record.operation, state.value) for record, state in app.states()),
    )
    entries = _table(
        "Requests, the newest first",
        ("No.", "Time", "Request", "Key", "Body", "Outcome", "Status", "Effects", "Fault"),
        (
            (
                str(entry.number),
                entry.at,
                f"{entry.method} {entry.target}",
                entry.key or "",
                entry.body,
                entry.outcome,
                str(entry.status or "no whole answer"),
                str(entry.effects),
                entry.fault,
            )
            for entry in reversed(app.journal.entries())
        ),
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sandbox: {name}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body><main>'
        f'<h1>Sandbox: {name}</h1><dl>{listed}</dl><p><a href="">Reload</a> · <a href="/_sandbox/log">as JSON</a></p>'
        f"{effects}{records}{entries}</main></body></html>\n"
    )


def _table(title: str, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(f"<tr>{''.join(f'<td><code>{escape(text)}</code></td>' for text in row)}</tr>" for row in rows)
    body = body or f'<tr><td colspan="{len(heads)}">nothing yet</td></tr>'
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<h2>{escape(title)}</h2><div role="region" aria-label="{escape(title)}" tabindex="0">{table}</div>'
