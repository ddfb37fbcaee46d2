// Asks before something that cannot simply be undone.

import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";

type Question = {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
};

export function askFirst({ title, text, confirm, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm, cancel: "Cancel" },
    confirmProps: { color: "red" },
    onConfirm,
  });
}
