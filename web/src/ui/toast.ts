// A short word that something worked, or was refused because things are not as the page showed them.

import { notifications } from "@mantine/notifications";
import { tone } from "../lib/tones.ts";

export function showDone(message: string): void {
  notifications.show({ color: tone.passed, message });
}

export function showRefused(message: string): void {
  notifications.show({ color: tone.plain, title: "Not changed", message });
}
