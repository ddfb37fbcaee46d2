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
          They come while a tab of Homework is open and you look at something else. A click leads to the homework.
        </Alert>
      );
    case "denied":
      return (
        <Alert mb="md" color={tone.plain} icon={<IconBellOff aria-hidden />} title="This browser blocks notifications">
          You or someone else said no to them once, and a page may not ask again. To change it, open the settings of
          this site from the icon left of the address, allow notifications, and reload the page. The bell works all the
          same.
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
          Browsers show them only for pages that come over https or from the same machine. The bell works all the same.
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
          Allow notifications, and it tells you of homework that ends or needs you while you look at something else.
        </Text>
        <Button size="xs" onClick={() => void askForPermission()}>
          Allow notifications
        </Button>
      </Group>
    </Alert>
  );
}
