"""``idempact sandbox``: the contract acted out on a server for integrators, with faults on request."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import signal
import time

from idempact.cli.terminal import DONE, Terminal, WrongUse, read_input
from idempact.resources.typed import TYPE_CHECKING
from idempact.text.nodes import compose, decode

if TYPE_CHECKING:
    from idempact.contract.model.contract import Contract, Settings

HELP = "act the contract out on a local server: replays, refusals, windows, faults on request"
EXAMPLE = "idempact sandbox contract/contract.yaml --port 8080"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument(
        "contract", nargs="?", default="contract/contract.yaml", metavar="CONTRACT", help="- reads standard input"
    )
    parser.add_argument("--port", type=_port, default=8080, help="0 takes a free one (default: 8080)")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: 127.0.0.1, this machine alone)")
    parser.add_argument(
        "--store", default=":memory:", metavar="FILE", help="keep the records in a file (default: in memory)"
    )
    parser.add_argument(
        "--assume",
        action="store_true",
        help="take what an observed contract leaves open from the minimal contract, and say so",
    )


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Serve until interrupted; of a contract with errors, or one that leaves facts open, print those."""
    from idempact.contract.check import checked
    from idempact.sandbox.settle import settle

    shown, data = read_input(args.contract)
    document = decode(shown, data)
    tree = compose(document.value) if document.value is not None else None
    contract = checked(tree.value) if tree is not None and tree.value is not None else None
    found = [d for step in (document, tree, contract) if step is not None for d in step.diagnostics]
    code = terminal.report(found, {shown: data.decode("utf-8", "replace")}, aside=True)
    if contract is None or contract.value is None or contract.broken or code != DONE:
        return code
    settled = settle(contract.value.contract, _model() if args.assume else None)
    if settled.obstacles:
        return terminal.fail(f"{shown}: {settled.obstacles[0]}")
    if settled.open_fields and not args.assume:
        return terminal.fail(
            f"{shown} leaves open what a server must do: {', '.join(settled.open_fields)}",
            "write the facts, or let the minimal contract's values stand in with --assume",
        )
    if settled.open_fields:
        terminal.say(f"not documented, taken from the minimal contract: {', '.join(settled.open_fields)}")
    for name in settled.unreachable:
        terminal.say(f"{name}: left out, since only an OpenAPI file knows what a tag holds")
    return _serve(settled.contract, args, terminal)


def _model() -> Settings:
    """The settings of the shipped minimal contract."""
    from idempact.contract.read import read
    from idempact.resources import shipped
    from idempact.text.nodes import load

    tree = load(shipped("contract") / "minimal.yaml").value
    assert tree is not None, "the shipped contract is there"
    found = read(tree).value
    assert found is not None, "the shipped contract can be read"
    return found.contract.settings


def _unheard(host: str, port: int, error: OSError) -> tuple[str, str]:
    """Why nothing can listen at an address, and what to do about it."""
    taken = error.errno == errno.EADDRINUSE
    denied = error.errno in (errno.EACCES, errno.EPERM)
    reason = "the port is in use" if taken else (error.strerror or str(error)).strip()
    hint = (
        "end what listens there, or take another port: --port 0 takes a free one"
        if taken
        else "take a port from 1024 on: --port 0 takes a free one"
        if denied
        else "give an address of this machine with --host, such as 127.0.0.1"
    )
    return f"can't listen at host {host}, port {port}: {reason}", hint


async def _told_to_end() -> None:
    """Wait for Ctrl-C or a polite kill, also where a shell started the process with the first of them ignored."""
    told, loop = asyncio.Event(), asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # an event loop on Windows has no such handlers
            loop.add_signal_handler(name, told.set)
    await told.wait()


def _mark(contract: Contract) -> str:
    """A text that tells the contract from every other one; its history and notes don't count."""
    import hashlib
    import json

    from idempact.contract.write import resolved

    told = {name: value for name, value in resolved(contract).items() if name not in ("changes", "notes")}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _serve(contract: Contract, args: argparse.Namespace, terminal: Terminal) -> int:
    import sqlite3

    from idempact.sandbox.app import App
    from idempact.sandbox.clock import Clock
    from idempact.sandbox.server import SandboxServer
    from idempact.sandbox.store import OtherStore, Store

    async def serve() -> None:
        app = App(contract, store, Clock(lambda: time.time_ns() // 1_000_000))
        server = SandboxServer(app, args.host, args.port)
        async with contextlib.AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(server)
            except OSError as error:
                raise WrongUse(*_unheard(args.host, args.port, error)) from None
            if args.host not in ("127.0.0.1", "::1", "localhost"):
                terminal.say(f"everybody who reaches {args.host} can read the log and set faults")
            terminal.say(f"{contract.api.name}: {server.origin} (log: {server.origin}/_sandbox). Ctrl-C ends it.")
            terminal.stderr.flush()
            await _told_to_end()

    try:
        store = Store(args.store, _mark(contract))
    except sqlite3.Error as error:
        return terminal.fail(f"{args.store}: {error}", "name a file that SQLite can write")
    except OtherStore as error:
        return terminal.fail(f"{args.store}: {error}", "name another file with --store, or delete this one")
    try:
        asyncio.run(serve())
    except KeyboardInterrupt:
        return DONE
    finally:
        store.close()
    return DONE
