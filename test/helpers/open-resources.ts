// Watches what is opened while a test file runs: timers, sockets, servers, file watchers, worker threads.
// Only what would keep the process alive counts; what vitest opens for itself does not.

import { createHook } from "node:async_hooks";

export type OpenResource = {
  readonly what: string;
  /** The line of our code that opened it, or of the library where ours is not on the stack. */
  readonly where: string;
};

/** Reading a stack costs a hundred times what taking it does, so it is read only of what is still open at the end. */
type Watched = { readonly what: string; readonly stack: Error | null; readonly isOpen: () => boolean };

export type ResourceWatch = {
  /** Later openings are not watched any more; what is open is still followed. */
  readonly stopWatching: () => void;
  readonly stillOpen: () => readonly OpenResource[];
  readonly close: () => void;
};

const kinds: Readonly<Record<string, string>> = {
  Timeout: "a timer",
  TCPWRAP: "a TCP connection (a pg pool or client, a fetch, a browser)",
  TCPSERVERWRAP: "a listening TCP server",
  PIPESERVERWRAP: "a listening socket file",
  UDPWRAP: "a UDP socket",
  FSEVENTWRAP: "a file watcher",
  STATWATCHER: "a file watcher",
  WORKER: "a worker thread",
};

/** Far below what the check waits for things to close. */
const shortMs = 200;
/** What the check waits for: a timer that rings once within it is never named, so its place does not have to be known. */
const graceMs = 30_000;

/** Deep enough to get past a driver's own frames to the line of ours. */
const stackDepth = 40;
/** Timers are by far the most that is opened, and what a stack costs grows with its depth. */
const timerStackDepth = 16;

/** Of the file before, where it could not even be loaded and so never came to its end. */
let abandoned = () => {};

export function watchResources(): ResourceWatch {
  abandoned();
  const watched = new Map<number, Watched>();
  let watching = true;
  const hook = createHook({
    init(id, type, _trigger, resource) {
      const what = kinds[type];
      if (!watching || !what || endsWithin(shortMs, resource)) return;
      watched.set(id, {
        what,
        stack: endsWithin(graceMs, resource) ? null : takeStack(type === "Timeout" ? timerStackDepth : stackDepth),
        isOpen: isOpen(resource),
      });
    },
    destroy(id) {
      watched.delete(id);
    },
    // Promises are by far the most numerous resources and never keep a process alive.
    ...{ trackPromises: false },
  }).enable();
  const close = () => {
    hook.disable();
  };
  abandoned = close;
  return {
    stopWatching: () => {
      watching = false;
    },
    stillOpen: () =>
      [...watched.values()]
        .filter((found) => found.isOpen())
        .map(({ what, stack }) => ({ what, frames: framesOf(stack) }))
        .filter(({ frames }) => !isOfTestRunner(frames))
        .map(({ what, frames }) => ({ what, where: whereOf(frames) })),
    close,
  };
}

function isOpen(resource: object): () => boolean {
  const held = new WeakRef(resource);
  return () => {
    const found = held.deref();
    if (!found) return false;
    return "hasRef" in found && typeof found.hasRef === "function" ? Boolean(found.hasRef()) : true;
  };
}

/** A timer that rings once and soon: most timers are, and taking a stack is what the check costs. */
function endsWithin(ms: number, resource: object): boolean {
  const { _repeat, _idleTimeout } = resource as { readonly _repeat?: unknown; readonly _idleTimeout?: unknown };
  return _repeat === null && typeof _idleTimeout === "number" && _idleTimeout <= ms;
}

function takeStack(depth: number): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = depth;
  const stack = new Error("where");
  Error.stackTraceLimit = limit;
  return stack;
}

function framesOf(taken: Error | null): readonly string[] {
  return (taken?.stack ?? "")
    .split("\n")
    .filter((line) => line.includes("/") && !/\(?node:|open-resources\.ts/.test(line));
}

function isOfTestRunner(frames: readonly string[]): boolean {
  return /node_modules\/(@?vitest|vite|birpc|tinyexec)\//.test(frames[0] ?? "");
}

function whereOf(frames: readonly string[]): string {
  const ours =
    frames.find((frame) => !frame.includes("node_modules")) ?? frames[0] ?? "a place the stack does not show";
  return (
    ours
      .replace(/^\s*at (.*\()?/, "")
      .replace(/\)$/, "")
      // vitest adds a mark to the address of a test file, to load it anew.
      .replace(/^file:\/\/|\?vitest=\d+/g, "")
      .replace(`${process.cwd()}/`, "")
  );
}
