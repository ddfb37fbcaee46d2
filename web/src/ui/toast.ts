// A short word that something worked.

import { notifications } from "@mantine/notifications";

export function showDone(message: string): void {
  notifications.show({ color: "green", message });
}
