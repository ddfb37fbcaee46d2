// The end of the composer: what will happen, and the button that starts it.

import { Button, Text, Tooltip } from "@mantine/core";
import { IconRocket, IconSend } from "@tabler/icons-react";
import { useAway } from "../../lib/use-away.ts";
import type { Composing } from "./use-composer.ts";

const explainers = {
  homework:
    "It plans, works step by step, checks what it made and writes a report. You may close this tab: it goes on by itself and tells you when it is done or needs you.",
  chat: "Answers right away, while you watch. Before it changes anything it asks you.",
} as const;

export function ComposerStart({ composing }: { readonly composing: Composing }) {
  const { mode } = composing.form.values;
  const Icon = mode === "homework" ? IconRocket : IconSend;
  const away = useAway();
  return (
    <div className="composer-start">
      <Text size="sm" c="dimmed">
        {away ?? explainers[mode]}
      </Text>
      <Tooltip label="Ctrl + Enter" openDelay={500}>
        <Button
          type="submit"
          loading={composing.isBusy}
          disabled={away !== null}
          leftSection={<Icon size={16} aria-hidden />}
        >
          {mode === "homework" ? "Start homework" : "Send"}
        </Button>
      </Tooltip>
    </div>
  );
}
