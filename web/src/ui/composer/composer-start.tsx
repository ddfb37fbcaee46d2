// The end of the composer: what will happen, and the button that starts it.

import { Anchor, Button, Text, Tooltip } from "@mantine/core";
import { IconRocket, IconSend } from "@tabler/icons-react";
import { useAway } from "../../lib/use-away.ts";
import { permissionWords } from "./permission-words.ts";
import type { Composing } from "./use-composer.ts";

const explainers = {
  homework: "Runs in the background. You can close this tab.",
  chat: "Answers right away. Asks before it changes anything.",
} as const;

type ComposerStartProps = {
  readonly composing: Composing;
  /** Closed, it says how much a run asks and no more. */
  readonly isOpen: boolean;
  /** Opens the composer with the choice of how much a run asks. */
  readonly onChoose: () => void;
};

export function ComposerStart({ composing, isOpen, onChoose }: ComposerStartProps) {
  const { mode, engine, writeMode } = composing.form.values;
  const Icon = mode === "homework" ? IconRocket : IconSend;
  const away = useAway();
  return (
    <div className="composer-start">
      <Text size="sm" c="dimmed">
        {away ?? (isOpen ? explainers[mode] : null)}
        {mode === "homework" && engine !== "agent" ? (
          <Anchor component="button" type="button" size="sm" className="composer-mode" onClick={onChoose}>
            Approvals: {permissionWords[writeMode][0]}
          </Anchor>
        ) : null}
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
