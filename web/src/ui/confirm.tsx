// Asks before something that cannot simply be undone.

import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { tone } from "../lib/tones.ts";
import { enterLayer } from "./layers.ts";

type Question = {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  /** How leaving it as it is reads. */
  readonly keep?: string;
  readonly onConfirm: () => void;
};

export function askFirst({ title, text, confirm, keep = "Cancel", onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm, cancel: keep },
    confirmProps: { color: tone.strong },
    onConfirm,
    onClose: enterLayer(),
  });
}
