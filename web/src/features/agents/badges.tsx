// Small coloured words: how a task or a run stands, and when its agent last gave a sign of life.

import { Badge } from "@mantine/core";
import { useEffect, useState } from "react";
import type { AgentRun } from "../../../../src/protocol/api.ts";
import { dateAndTime } from "../../lib/dates.ts";
import {
  describeHeartbeat,
  isAtWork,
  runStatusColors,
  runStatusWords,
  type TaskStatus,
  taskStatusColors,
  taskStatusWords,
} from "./task-words.ts";

const dot = <span className="live-dot" aria-hidden />;
const common = { tt: "none", fw: 600, className: "unshrinkable" } as const;

export function TaskBadge({ status }: { readonly status: TaskStatus }) {
  const needsYou = status === "waiting";
  return (
    <Badge
      {...common}
      variant={needsYou ? "filled" : "light"}
      color={taskStatusColors[status]}
      leftSection={isAtWork(status) ? dot : null}
    >
      {taskStatusWords[status]}
    </Badge>
  );
}

export function RunBadge({ run }: { readonly run: AgentRun }) {
  const code = run.exit_code !== null && run.exit_code > 0 ? ` (${run.exit_code})` : "";
  return (
    <Badge {...common} variant="light" color={runStatusColors[run.status]} leftSection={run.is_active ? dot : null}>
      {run.stop_requested && run.status === "failed" ? "Stopped" : `${runStatusWords[run.status]}${code}`}
    </Badge>
  );
}

const tickMs = 1_000;

/** Only while an agent is at work: the silence of one that has ended says nothing. */
export function HeartbeatBadge({ at }: { readonly at: string | null }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const { words, beat } = describeHeartbeat(at, nowMs);
  return (
    <Badge
      {...common}
      variant="default"
      leftSection={<span className="beat-dot" data-beat={beat} aria-hidden />}
      title={at === null ? undefined : `Last output ${dateAndTime(at)}`}
    >
      {words}
    </Badge>
  );
}
