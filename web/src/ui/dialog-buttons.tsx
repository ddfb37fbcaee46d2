// The two buttons at the end of a form in a dialog: leave it, or do it.

import { Button, Group } from "@mantine/core";

type DialogButtonsProps = {
  readonly onCancel: () => void;
  /** What the form does, as a verb. */
  readonly action: string;
  readonly isBusy: boolean;
};

export function DialogButtons({ onCancel, action, isBusy }: DialogButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isBusy}>
        {action}
      </Button>
    </Group>
  );
}
