// A form in a dialog: its fields, Cancel, and one button that does what the form is for. It ends when its owner takes it away.

import { Button, Group, type ModalProps, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { Dialog } from "./dialog.tsx";

type FormModalProps = {
  readonly title: string;
  readonly size?: NonNullable<ModalProps["size"]>;
  readonly onClose: () => void;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** What the form does, as a verb. */
  readonly action: string;
  readonly isBusy: boolean;
  /** Something that the form needs is not chosen yet. */
  readonly isOff?: boolean;
  /** The choice between two versions, of a form that edits what others may edit, too. */
  readonly stale?: ReactNode;
  readonly children: ReactNode;
};

export function FormModal({
  title,
  size,
  onClose,
  onSubmit,
  action,
  isBusy,
  isOff = false,
  stale,
  children,
}: FormModalProps) {
  return (
    <Dialog title={title} onClose={onClose} {...(size === undefined ? {} : { size })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(event);
        }}
      >
        <Stack>
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={isOff}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
      {stale}
    </Dialog>
  );
}
