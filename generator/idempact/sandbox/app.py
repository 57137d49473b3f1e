"""The sandbox as an application: a request goes in, an answer comes out, and how it is to be delivered."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3

from idempact.contract.model.contract import Contract, Operation
from idempact.contract.model.operations import OperationKind, Safety
from idempact.sandbox import answers
from idempact.sandbox.carried import carried, document, is_form
from idempact.sandbox.clock import Clock
from idempact.sandbox.control import PREFIX, Control
from idempact.sandbox.engine import Arrival, Engine, Reply, Run, State, Wait
from idempact.sandbox.exchange import Request, Response
from idempact.sandbox.faults import NORMAL, During, Script, Step, read_step
from idempact.sandbox.identity import fingerprint_of, scope_of
from idempact.sandbox.journal import Entry, Journal, instant, shown
from idempact.sandbox.lookup import looked_up
from idempact.sandbox.routes import base_path, below, called
from idempact.sandbox.store import Phase, Record, Store
from idempact.text.dataclass import dataclass, replace
from idempact.text.nodes import Plain

FAULT_HEADER = "Sandbox-Fault"
_METHODS_THAT_MAKE = ("POST",)
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Delivery:
    """An answer and how it goes out; None is no answer at all, since the run died with its process."""

    response: Response | None
    step: Step = NORMAL


class App:
    """One sandbox: its store, clock, journal and script. One event loop at a time."""

    def __init__(self, contract: Contract, store: Store, clock: Clock, engine: type[Engine] = Engine) -> None:
        self.contract, self.store, self.clock = contract, store, clock
        self.engine = engine(contract, store)
        self.journal, self.script = Journal(), Script()
        self.store_available = True
        self._base = base_path(contract)
        self._changed = asyncio.Event()
        self._release = asyncio.Event()
        self._control = Control(self)

    async def handle(self, request: Request) -> Delivery:
        """The answer to any request; control requests are answered, and never logged."""
        if request.path == PREFIX or request.path.startswith(f"{PREFIX}/"):
            return Delivery(self._control.answer(request))
        number = self.journal.number()
        try:
            step = self._step(request)
        except ValueError as error:
            problem: dict[str, Plain] = {"title": f"{FAULT_HEADER}: {error}", "status": 400}
            return Delivery(answers.plain(400, problem, "wrong-use"))
        path = below(request.path, self._base)
        operation = called(self.contract.operations, request.method, path)
        at = instant(self.clock.now())
        response = await self._treated(request, path, operation, step)
        effects = self.effects()
        if response is not None:
            told = (("Sandbox-Outcome", response.outcome), ("Sandbox-Effects", str(effects)))
            response = replace(response, headers=(*response.headers, *told))
        self.journal.add(
            Entry(
                number=number,
                at=at,
                method=request.method,
                target=request.target,
                operation=str(operation.key) if operation is not None else None,
                key=carried(request, operation.settings.key).key if operation is not None else None,
                body=shown(request.body),
                outcome=response.outcome if response is not None else "reset" if step.reset else "crashed",
                status=response.status if response is not None and not lost(step) else None,
                effects=effects,
                fault=described(step),
            )
        )
        return Delivery(response, step)

    def effects(self) -> int:
        """How many effects were made: of an operation with several, the one that was made most often counts."""
        most: dict[str, int] = {}
        for operation, _, count in self.store.effects():
            most[operation] = max(most.get(operation, 0), count)
        return sum(most.values())

    def release(self) -> None:
        """Lets every run that is held go on."""
        released, self._release = self._release, asyncio.Event()
        released.set()

    def changed(self) -> None:
        """Wakes the requests that wait for a record."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def _step(self, request: Request) -> Step:
        told = request.header(FAULT_HEADER)
        if told is None:
            return self.script.next()
        try:
            value = json.loads(told)
        except (ValueError, RecursionError):
            raise ValueError('the header holds no JSON; write a step such as {"status": 503}') from None
        return read_step(value)

    async def _treated(self, request: Request, path: str, operation: Operation | None, step: Step) -> Response | None:
        settings = (operation or self.contract).settings
        if step.status is not None:
            usual = answers.failure(step.status, settings, step.code, "A scripted fault.")
            body = usual.body if step.raw is None else step.raw.encode()
            headers = {name.lower(): (name, text) for name, text in (*usual.headers, *step.headers)}
            return Response(step.status, tuple(headers.values()), body, "scripted")
        if step.reset == "before":
            return None
        if operation is None:
            found = looked_up(self, request, path)
            title = f"The contract names no such operation. It names {self._named()}."
            return found if found is not None else answers.failure(404, settings, None, title).called("unknown")
        try:
            return await self._served(
                Arrival(request, operation, path, 0, self.store_available, step.key_required), step
            )
        except sqlite3.Error as error:
            detail = f"The sandbox's own store is unavailable: {error}."
            return self.engine.answer("store_unavailable", operation.settings, detail=detail).response

    def _named(self) -> str:
        """Some operations that a request could call."""
        names = [str(each.key) for each in self.contract.operations if each.key.kind is not OperationKind.TAG]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        return ", ".join(names[:_SHOWN]) + more

    async def _served(self, arrival: Arrival, step: Step) -> Response | None:
        wait_ends: int | None = None
        while True:
            arrival = replace(arrival, now=self.clock.now(), store_available=self.store_available)
            decision = self.engine.arrive(arrival)
            if isinstance(decision, Reply):
                return decision.response
            if isinstance(decision, Wait):
                wait_ends = arrival.now + decision.at_most_ms if wait_ends is None else wait_ends
                if arrival.now >= wait_ends:
                    return decision.otherwise
                await self._until_changed(wait_ends - arrival.now)
                continue
            response = await self._run(decision, arrival, step)
            if response is not LOST:
                return response
            step = NORMAL
            await asyncio.sleep(0)

    async def _until_changed(self, ms: int) -> None:
        waits = {asyncio.ensure_future(self._changed.wait()), asyncio.ensure_future(self.clock.sleep(ms))}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waits:
                task.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    async def _run(self, run: Run, arrival: Arrival, step: Step) -> Response | None:
        """One run of the operation; LOST where another request took its claim over meanwhile."""
        if step.hold:
            await self._release.wait()
        await self.clock.sleep(step.handler_ms)
        if step.crash == "before":
            return None
        first = _failure_of_syntax(arrival, step) or (step.fail is not None and step.phase is not During.AFTER_EFFECTS)
        if first:
            return self._failed(run, arrival, step)
        if arrival.operation.safety in (Safety.READ, Safety.NATURAL):
            return self._unkeyed(arrival)
        resource = run.record.resource if run.record is not None else None
        done = run.record.points if run.record is not None else 0
        for number, point in enumerate(points(arrival.operation), 1):
            if number <= done:
                continue
            made = self.engine.effect(run, arrival, point)
            if made is None:
                return LOST
            resource = made
            if run.record is not None and run.record.resource is None:
                run = replace(run, record=replace(run.record, resource=made))
            if step.crash == "after":
                return None
            if step.fail is not None:
                return self._failed(run, arrival, step)
        return self._completed(run, arrival, resource or "")

    def _completed(self, run: Run, arrival: Arrival, resource: str) -> Response:
        response = self.result(arrival.operation, resource, arrival.request.method)
        kept = self.engine.complete(run, response, arrival.operation.settings, self.clock.now())
        self.changed()
        if not kept:
            return LOST
        return response.called("resumed") if run.resumed else response

    def result(self, operation: Operation, resource: str, method: str = "POST") -> Response:
        """The first answer of a run that made *resource*."""
        found = self.store.resource(resource)
        path, members = (found[0], found[1]) if found is not None else ("", dict[str, Plain](id=resource))
        makes = method in _METHODS_THAT_MAKE
        location = f"{self._base}{path}/{resource}" if makes else None
        return answers.result(201 if makes else 200, members, location, operation.settings)

    def _failed(self, run: Run, arrival: Arrival, step: Step) -> Response:
        status, during = (step.fail, step.phase) if step.fail is not None else (400, During.BEFORE_EXECUTION)
        settings = arrival.operation.settings
        title = "" if step.fail is not None else "The body is not JSON, though its Content-Type says so."
        response = answers.failure(status, settings, step.code, title)
        kept = self.engine.fail(run, response, during, settings, self.clock.now())
        self.changed()
        return response if kept else LOST

    def _unkeyed(self, arrival: Arrival) -> Response:
        """A read, which changes nothing, or a natural operation, whose repeat changes nothing more."""
        operation, request = arrival.operation, arrival.request
        settings = operation.settings
        if operation.safety is Safety.READ:
            return answers.result(200, {"read": arrival.path}, None, settings).called("read")
        content = f"{request.method} {fingerprint_of(request, operation, arrival.path) or request.body.hex()}"
        scope = scope_of(request, operation, arrival.path)
        if self.store.natural_change(scope, arrival.path, content, adds=request.method == "POST"):
            self.store.effect(None, str(operation.key), "effect", arrival.path)
            return answers.result(200, {"path": arrival.path}, None, settings)
        if operation.repeat_status is not None and operation.repeat_status >= 400:
            title = "It is so already."
            return answers.failure(operation.repeat_status, settings, None, title).called("repeated")
        repeated = answers.result(200, {"path": arrival.path}, None, settings)
        return replace(repeated, status=operation.repeat_status or repeated.status, outcome="repeated")

    def states(self) -> tuple[tuple[Record, State], ...]:
        """Every record with the state in which a request would find it now; those past their time are among them."""
        settings = {str(operation.key): operation.settings for operation in self.contract.operations}
        now = self.clock.now()
        return tuple(
            (record, self.engine.state(record, settings.get(record.operation, self.contract.settings), now))
            for record in self.store.records()
        )

    def recover(self, key: str, done: bool) -> int:
        """Decides the unknown outcomes of a key, in all scopes: it was done, or wasn't; how many there were."""
        operations = {str(operation.key): operation for operation in self.contract.operations}
        unknown = [record for record in self.store.records(key) if record.phase is Phase.UNKNOWN]
        for record in unknown:
            operation = operations[record.operation]
            if not done:
                self.store.remove(record)
                continue
            taken = self.store.take_over(record, record.lease_ends)
            if taken is None:
                continue
            resource = taken.resource
            for point in points(operation)[taken.points :]:
                resource = self.store.effect(replace(taken, resource=resource), record.operation, point, "") or resource
            response = self.result(operation, resource or "")
            self.engine.complete(Run(taken), response, operation.settings, self.clock.now())
        self.changed()
        return len(unknown)


LOST = Response(0, outcome="lost")
"""Stands for the answer of a run whose claim another request took over: its caller is answered as a repeat."""


def points(operation: Operation) -> tuple[str, ...]:
    """The effects of one run, in order: the calls that can't be rolled back, or one effect of its own."""
    return tuple(str(effect.name) for effect in operation.external_effects) or ("effect",)


def lost(step: Step) -> bool:
    """Whether the answer doesn't reach the caller whole."""
    return step.reset is not None or step.close or step.truncate


def described(step: Step) -> str:
    """The step as it is asked for, in JSON; empty for a normal one."""
    told = {
        name: dict(step.headers) if name == "headers" else getattr(step, name)
        for name in Step.__dataclass_fields__
        if getattr(step, name) != getattr(NORMAL, name)
    }
    return json.dumps(told, ensure_ascii=False) if told else ""


def _failure_of_syntax(arrival: Arrival, step: Step) -> bool:
    """Whether the body claims to be JSON and is none: a failure before execution of the sandbox's own finding."""
    request = arrival.request
    media = request.header("content-type") or ""
    if step.fail is not None or is_form(request) or "json" not in media or not request.body:
        return False
    return document(request.body) is None and not re.fullmatch(rb"\s*null\s*", request.body)
