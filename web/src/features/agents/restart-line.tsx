// What comes next for a task, always in sight: what people want to know before they leave.

import { Text, Tooltip } from "@mantine/core";
import { IconClock, IconHandStop, IconRepeat, IconRepeatOff } from "@tabler/icons-react";
import type { AgentTask } from "../../../../src/protocol/api.ts";
import { Time } from "../../ui/time.tsx";

const words = { yes: "Will restart", no: "Will not restart", unknown: "May restart" } as const;

type RestartLineProps = {
  readonly task: Pick<AgentTask, "status" | "until" | "restart">;
  readonly withReason?: boolean;
};

export function RestartLine({ task, withReason = false }: RestartLineProps) {
  const { restart } = task;
  const line = (
    <Text size="sm" className="breakable restart-line" component="span">
      <Next task={task} />
      {withReason ? ` ${restart.why}` : null}
    </Text>
  );
  return withReason ? line : <Tooltip label={restart.why}>{line}</Tooltip>;
}

function Next({ task: { status, until, restart } }: Pick<RestartLineProps, "task">) {
  if (status === "waiting")
    return (
      <>
        <IconHandStop size={15} aria-hidden /> <b>Waiting for you.</b>
      </>
    );
  if (until !== null)
    return (
      <>
        <IconClock size={15} aria-hidden />{" "}
        <b>
          Starts again <Time at={until} />.
        </b>
      </>
    );
  const Icon = restart.will_restart === "no" ? IconRepeatOff : IconRepeat;
  return (
    <>
      <Icon size={15} aria-hidden /> <b>{words[restart.will_restart]}.</b>
    </>
  );
}
