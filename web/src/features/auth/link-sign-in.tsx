// Signing in on one's own machine: there is no password, the start command printed a link.

import { ActionIcon, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

const command = "npx homework user login-link";

export function LinkSignIn() {
  return (
    <Stack gap="sm">
      <Text>
        The command that started Homework printed a one-time link. Open that link in this browser and you are signed in.
      </Text>
      <Text>
        The link is gone or was used already? Get another one in a terminal, in the folder of this installation:
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Code block className="grow">
          {command}
        </Code>
        <CopyButton value={command}>
          {({ copied, copy }) => (
            <ActionIcon variant="default" size="lg" onClick={copy} aria-label={copied ? "Copied" : "Copy the command"}>
              {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
            </ActionIcon>
          )}
        </CopyButton>
      </Group>
      <Text size="sm" c="dimmed">
        After you open the link in another tab, come back: this page continues by itself.
      </Text>
    </Stack>
  );
}
