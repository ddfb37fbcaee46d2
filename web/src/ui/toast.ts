// A short word that something worked, or was refused because things are not as the page showed them.

import { notifications } from "@mantine/notifications";

export function showDone(message: string): void {
  notifications.show({ color: "green", message });
}

export function showRefused(message: string): void {
  notifications.show({ color: "orange", title: "Not changed", message });
}
