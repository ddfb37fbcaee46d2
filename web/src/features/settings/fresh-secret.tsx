// A secret that is shown once: a key, or what a webhook is signed with.

import { Alert, Button, Code, CopyButton, Group, Stack } from "@mantine/core";
import { tone } from "../../lib/tones.ts";
import { Dialog } from "../../ui/dialog.tsx";

type FreshSecretProps = {
  readonly title: string;
  /** What it is, for the button: "Copy the key". */
  readonly what: string;
  readonly secret: string;
  readonly about?: string;
  readonly onClose: () => void;
};

/** Neither Escape nor a click beside it closes this: the secret would be gone. */
export function FreshSecret({ title, what, secret, about, onClose }: FreshSecretProps) {
  return (
    <Dialog onClose={onClose} title={title} closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false}>
      <Stack>
        <Alert color={tone.atWork} title="Copy it now">
          This is the only time it is shown. {about}
        </Alert>
        <Code block className="pre-wrap" data-testid="fresh-key">
          {secret}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? "Copied" : `Copy the ${what}`}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>I have saved it</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
