"""The sandbox's own addresses, all below one prefix: the log, the clock, the script of faults, the store, recovery."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from idempact.contract.units import Duration
from idempact.resources.typed import TYPE_CHECKING
from idempact.sandbox import answers
from idempact.sandbox.exchange import Request, Response
from idempact.sandbox.faults import Step, read_step, unknown_fields
from idempact.sandbox.journal import instant
from idempact.sandbox.page import page
from idempact.text.nodes import Plain

if TYPE_CHECKING:
    from idempact.sandbox.app import App

PREFIX = "/_sandbox"
# The page loads nothing and runs nothing, so that nothing in a request can do so in the reader's browser.
_PAGE_HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
    ("X-Content-Type-Options", "nosniff"),
)


class WrongUse(Exception):
    """A control request that can't be done as asked; its text says what would do."""


class Control:
    """Answers control requests; each changes the sandbox at once."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._actions: dict[tuple[str, str], Callable[[Request], Plain]] = {
            ("GET", "/log"): lambda _: self.log(),
            ("GET", "/clock"): lambda _: {"now": instant(app.clock.now())},
            ("POST", "/clock"): self._clock,
            ("POST", "/faults"): self._faults,
            ("DELETE", "/faults"): self._no_faults,
            ("POST", "/store"): self._store,
            ("POST", "/release"): self._release,
            ("POST", "/recover"): self._recover,
            ("POST", "/reset"): self._reset,
        }

    def answer(self, request: Request) -> Response:
        """The answer to a request below the prefix."""
        place = request.path.removeprefix(PREFIX).rstrip("/")
        if (request.method, place) in (("GET", ""), ("HEAD", "")):
            return Response(200, _PAGE_HEADERS, page(self._app).encode(), "control")
        try:
            if place.startswith("/resources/") and request.method == "POST":
                return self._told(self._resource(place.removeprefix("/resources/"), request))
            action = self._actions.get((request.method, place))
            if action is None:
                known = ", ".join(f"{method} {PREFIX}{path}" for method, path in sorted(self._actions))
                raise WrongUse(f"there is no such control; there are {known}, POST {PREFIX}/resources/ID")
            return self._told(action(request))
        except (WrongUse, ValueError) as error:
            return answers.plain(400, {"title": str(error), "status": 400}, "wrong-use")

    def log(self) -> Plain:
        """Everything that the page shows, as plain data."""
        app = self._app
        return {
            "now": instant(app.clock.now()),
            "api": str(app.contract.api.name),
            "effects": app.effects(),
            "effects_by_operation": [
                {"operation": operation, "effect": point, "count": count}
                for operation, point, count in app.store.effects()
            ],
            "store_available": app.store_available,
            "faults_waiting": len(app.script),
            "records": [
                {"key": record.identity.key, "operation": record.operation, "state": state.value}
                for record, state in app.states()
            ],
            "requests": app.journal.plain(),
        }

    @staticmethod
    def _told(value: Plain) -> Response:
        return answers.plain(200, value, "control")

    @staticmethod
    def _asked(request: Request, *fields: str, more: bool = False) -> dict[str, Plain]:
        """The body's fields, of which only these are known unless *more* are; an empty body has none."""
        try:
            value = json.loads(request.body or b"{}")
        except (ValueError, RecursionError):
            raise WrongUse("the body is no JSON") from None
        if not isinstance(value, dict):
            raise WrongUse("the body is no JSON object")
        unknown = [] if more else list(unknown_fields(value, fields))
        if unknown:
            raise WrongUse("; ".join(unknown))
        return value

    def _clock(self, request: Request) -> Plain:
        text = self._asked(request, "advance").get("advance")
        if not isinstance(text, str):
            raise WrongUse('say how far: {"advance": "24h"}')
        self._app.clock.advance(Duration.parse(text).ms)
        return {"now": instant(self._app.clock.now())}

    def _faults(self, request: Request) -> Plain:
        asked = self._asked(request, "steps", "repeat_last")
        steps, repeat_last = asked.get("steps"), asked.get("repeat_last", False)
        if not isinstance(steps, list) or not isinstance(repeat_last, bool):
            raise WrongUse('give the steps for the next requests: {"steps": [{"status": 503}], "repeat_last": false}')
        self._app.script.replace(tuple(_steps(steps)), repeat_last)
        return {"faults_waiting": len(self._app.script)}

    def _no_faults(self, request: Request) -> Plain:
        self._asked(request)
        self._app.script.replace(())
        return {"faults_waiting": 0}

    def _store(self, request: Request) -> Plain:
        available = self._asked(request, "available").get("available")
        if not isinstance(available, bool):
            raise WrongUse('say whether keys can be looked up: {"available": false}')
        self._app.store_available = available
        return {"store_available": available}

    def _release(self, request: Request) -> Plain:
        self._asked(request)
        self._app.release()
        return {"released": True}

    def _recover(self, request: Request) -> Plain:
        asked = self._asked(request, "key", "outcome")
        key, outcome = asked.get("key"), asked.get("outcome")
        if not isinstance(key, str) or outcome not in ("done", "not-done"):
            raise WrongUse('say what was found out: {"key": "…", "outcome": "done"} or "not-done"')
        return {"recovered": self._app.recover(key, outcome == "done")}

    def _reset(self, request: Request) -> Plain:
        self._asked(request)
        app = self._app
        app.store.clear()
        app.journal.clear()
        app.script.replace(())
        app.store_available = True
        app.release()
        return {"reset": True}

    def _resource(self, name: str, request: Request) -> Plain:
        found = self._app.store.resource(name)
        if found is None:
            raise WrongUse(f"there is no resource {name!r}")
        _, members, ended_at = found
        asked = self._asked(request, more=True)
        ended = asked.pop("ended", ended_at is not None)
        if not isinstance(ended, bool) or "id" in asked:
            raise WrongUse('give members that change, and whether it has ended: {"status": "settled", "ended": true}')
        now = self._app.clock.now()
        self._app.store.change_resource(name, {**members, **asked}, (ended_at or now) if ended else None)
        return {**members, **asked}


def _steps(steps: list[Plain]) -> Iterator[Step]:
    """The steps; of several, a fault says in which it is."""
    for number, step in enumerate(steps, 1):
        try:
            yield read_step(step)
        except ValueError as error:
            raise WrongUse(f"step {number}: {error}" if len(steps) > 1 else str(error)) from None
