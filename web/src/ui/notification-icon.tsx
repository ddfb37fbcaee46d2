// One picture per thing a user is told of.

import {
  IconArrowBackUp,
  IconBell,
  IconCircleCheck,
  IconCircleX,
  IconClockPause,
  IconMessageQuestion,
  IconOctagonMinus,
} from "@tabler/icons-react";
import { notificationColor } from "./notification-color.ts";

const icons: Readonly<Record<string, typeof IconBell>> = {
  completed: IconCircleCheck,
  stopped: IconOctagonMinus,
  failed: IconCircleX,
  waiting_on_user: IconMessageQuestion,
  escalation: IconMessageQuestion,
  outcome_achieved: IconCircleCheck,
  outcome_stopped: IconOctagonMinus,
  holding: IconClockPause,
  undone: IconArrowBackUp,
};

export function NotificationIcon({ event }: { readonly event: string }) {
  const Icon = icons[event] ?? IconBell;
  const color = `var(--mantine-color-${notificationColor(event)}-6)`;
  return <Icon size={20} stroke={1.6} aria-hidden className="unshrinkable" color={color} />;
}
