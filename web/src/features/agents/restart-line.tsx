// Whether the agent is started again, always in sight: what people want to know before they leave.

import { Text, Tooltip } from "@mantine/core";
import { IconRepeat, IconRepeatOff } from "@tabler/icons-react";
import type { AgentTask } from "../../../../src/protocol/api.ts";

const words = { yes: "Will restart", no: "Will not restart", unknown: "May restart" } as const;

export function RestartLine({
  restart,
  withReason = false,
}: {
  readonly restart: AgentTask["restart"];
  readonly withReason?: boolean;
}) {
  const Icon = restart.will_restart === "no" ? IconRepeatOff : IconRepeat;
  const line = (
    <Text size="sm" className="breakable restart-line" component="span">
      <Icon size={15} aria-hidden /> <b>{words[restart.will_restart]}.</b>
      {withReason ? ` ${restart.why}` : null}
    </Text>
  );
  return withReason ? line : <Tooltip label={restart.why}>{line}</Tooltip>;
}
