// Follows one task of an agent, and the log of one run: a single connection for the page. It goes on where it was after a lost connection;
// a hidden tab lets go of it after half a minute.

import { useEffect, useLayoutEffect, useRef } from "react";
import { type LogPage, routes } from "../../../../src/protocol/api.ts";
import { pathOf, queryOf } from "../../../../src/protocol/client.ts";
import { taskStreamEvents } from "../../../../src/protocol/routes/agent-shapes.ts";
import type { TaskPlace } from "../data/agents.ts";

export type FollowedLog = { readonly runId: string; readonly stdout: number; readonly stderr: number };

export type TaskStreamEars = {
  /** Also each time the stream begins: something may have been missed. */
  readonly onChange: () => void;
  readonly onMessage: () => void;
  readonly onLog?: (page: LogPage) => void;
  readonly onLogRestart?: (stream: LogPage["stream"]) => void;
};

const hiddenMs = 30_000;
const againMs = 3_000;

/** `log` null: no log is followed; `isReady` false: nothing is, yet. */
export function useTaskStream(place: TaskPlace, log: FollowedLog | null, isReady: boolean, ears: TaskStreamEars): void {
  const latest = useRef(ears);
  useLayoutEffect(() => {
    latest.current = ears;
  });
  const { agentProject, agentTask } = place;
  const runId = log?.runId;
  const offsets = useRef({ stdout: log?.stdout ?? 0, stderr: log?.stderr ?? 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: offsets count from the moment a run is followed on
  useEffect(() => {
    if (!isReady) return;
    offsets.current = { stdout: log?.stdout ?? 0, stderr: log?.stderr ?? 0 };
    return follow({ agentProject, agentTask }, runId, offsets.current, latest);
  }, [agentProject, agentTask, runId, isReady]);
}

type Ears = { readonly current: TaskStreamEars };

function follow(
  place: TaskPlace,
  runId: string | undefined,
  offsets: { stdout: number; stderr: number },
  ears: Ears,
): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    source?.close();
    source = null;
  };
  const open = () => {
    clearTimeout(timer);
    if (source !== null) return;
    const query = runId === undefined ? {} : { run_id: runId, ...offsets };
    source = new EventSource(`${pathOf(routes.agents.stream, place)}${queryOf(query)}`);
    listen(source, offsets, ears);
    source.addEventListener("error", () => {
      // The browser comes back by itself unless it was refused.
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      timer = setTimeout(open, againMs);
    });
  };
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible") open();
    else timer = setTimeout(close, hiddenMs);
  };
  document.addEventListener("visibilitychange", look);
  open();
  return () => {
    document.removeEventListener("visibilitychange", look);
    clearTimeout(timer);
    close();
  };
}

function listen(source: EventSource, offsets: { stdout: number; stderr: number }, ears: Ears): void {
  const on = (name: string, handle: (data: unknown) => void) =>
    source.addEventListener(name, (event) => handle(JSON.parse((event as MessageEvent<string>).data)));
  source.addEventListener("open", () => {
    ears.current.onChange();
    ears.current.onMessage();
  });
  for (const name of ["task_changed", "run_start", "run_end"]) on(name, () => ears.current.onChange());
  for (const name of ["bus_message", "bus_damage"]) on(name, () => ears.current.onMessage());
  on("log", (data) => {
    const { page } = taskStreamEvents.log.parse(data);
    offsets[page.stream] = page.next;
    ears.current.onLog?.(page);
  });
  on("log_restart", (data) => {
    const { stream } = taskStreamEvents.log_restart.parse(data);
    offsets[stream] = 0;
    ears.current.onLogRestart?.(stream);
  });
}
