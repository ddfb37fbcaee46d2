// Whether this browser may show notifications, and what to do about it.

import { Alert, Button, Group, Text } from "@mantine/core";
import { IconBellCheck, IconBellOff, IconBellRinging } from "@tabler/icons-react";
import { askForPermission, useBrowserPermission } from "../../lib/browser-permission.ts";
import { tone } from "../../lib/tones.ts";

export function BrowserNotice() {
  const permission = useBrowserPermission();
  switch (permission) {
    case "granted":
      return (
        <Alert mb="md" color="green" icon={<IconBellCheck aria-hidden />} title="This browser shows notifications">
          Notifications appear while Homework is open in another tab. Click one to open its run.
        </Alert>
      );
    case "denied":
      return (
        <Alert mb="md" color={tone.plain} icon={<IconBellOff aria-hidden />} title="This browser blocks notifications">
          Notifications were blocked once, and a page may not ask again. Open the settings of this site from the icon
          left of the address, allow notifications, and reload the page. The bell still works.
        </Alert>
      );
    case "missing":
      return (
        <Alert
          mb="md"
          color="gray"
          icon={<IconBellOff aria-hidden />}
          title="This browser cannot show notifications here"
        >
          Browsers allow notifications only over https or on the same machine. The bell still works.
        </Alert>
      );
    case "default":
      return <NotAsked />;
  }
}

function NotAsked() {
  return (
    <Alert mb="md" color="blue" icon={<IconBellRinging aria-hidden />} title="This browser has not been asked yet">
      <Group justify="space-between" gap="sm">
        <Text size="sm" className="row-text">
          Allow notifications to hear of runs that end or need you while you look at something else.
        </Text>
        <Button size="xs" onClick={() => void askForPermission()}>
          Allow notifications
        </Button>
      </Group>
    </Alert>
  );
}
