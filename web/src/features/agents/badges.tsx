// Small coloured words: how a task or a run stands, and when its agent last gave a sign of life.

import { Badge } from "@mantine/core";
import { useEffect, useState } from "react";
import type { AgentRun } from "../../../../src/protocol/api.ts";
import { agentRunWord, agentTaskWords } from "../../../../src/protocol/words/agent-task.ts";
import { dateAndTime } from "../../lib/dates.ts";
import { describeHeartbeat, isAtWork, runStatusColors, type TaskStatus, taskStatusColors } from "./task-words.ts";

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
      {agentTaskWords[status]}
    </Badge>
  );
}

export function RunBadge({ run }: { readonly run: AgentRun }) {
  return (
    <Badge {...common} variant="light" color={runStatusColors[run.status]} leftSection={run.is_active ? dot : null}>
      {agentRunWord(run)}
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
