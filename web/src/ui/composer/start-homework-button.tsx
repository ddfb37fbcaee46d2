// Homework from where one is: opens the composer, set to the project one looks at.

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRocket } from "@tabler/icons-react";
import { Dialog } from "../dialog.tsx";
import { Composer } from "./composer.tsx";

type StartHomeworkButtonProps = {
  readonly projectId: string;
  /** What the field begins with, unless something was left in it unsent. */
  readonly text?: string;
};

export function StartHomeworkButton({ projectId, text }: StartHomeworkButtonProps) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button leftSection={<IconRocket size={16} aria-hidden />} onClick={dialog.open}>
        Start homework here
      </Button>
      {isOpen ? (
        <Dialog onClose={dialog.close} title="Start homework in this project" size="xl">
          <Composer projectId={projectId} text={text} isBare />
        </Dialog>
      ) : null}
    </>
  );
}
