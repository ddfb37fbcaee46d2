// Whether the page follows the run right now. Nothing is said of one that does not run.

import { Text } from "@mantine/core";
import { useLiveStatus } from "../../../lib/live/tab-stream.ts";
import type { RunStatus } from "../../../ui/run-words.ts";

const words = {
  live: { text: "Live", title: "What happens in the run is shown as it happens" },
  connecting: { text: "Connecting…", title: "Nothing is lost: what happens meanwhile is shown as soon as it is back" },
  away: { text: "Not connected", title: "The server does not answer. What you see may be old" },
} as const;

export function LiveStatus({ status }: { readonly status: RunStatus }) {
  const live = useLiveStatus();
  if (live === "live" && status !== "running") return null;
  const { text, title } = words[live];
  return (
    <Text
      size="xs"
      fw={600}
      title={title}
      role="status"
      className={`not-printed ${live === "live" ? "run-green" : "faint"}`}
    >
      {live === "live" ? <span className="live-dot" aria-hidden /> : null} {text}
    </Text>
  );
}
