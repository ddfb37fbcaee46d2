// One picture per thing a user is told of.

import {
  IconBell,
  IconCircleCheck,
  IconCircleX,
  IconClockPause,
  IconMessageQuestion,
  IconPlayerStop,
} from "@tabler/icons-react";

const looks = {
  completed: { Icon: IconCircleCheck, color: "green" },
  stopped: { Icon: IconPlayerStop, color: "yellow" },
  failed: { Icon: IconCircleX, color: "red" },
  waiting_on_user: { Icon: IconMessageQuestion, color: "orange" },
  escalation: { Icon: IconMessageQuestion, color: "orange" },
  outcome_achieved: { Icon: IconCircleCheck, color: "green" },
  outcome_stopped: { Icon: IconPlayerStop, color: "yellow" },
  holding: { Icon: IconClockPause, color: "orange" },
} as const;

const unknown = { Icon: IconBell, color: "gray" } as const;

function lookOf(event: string) {
  return event in looks ? looks[event as keyof typeof looks] : unknown;
}

export function notificationColor(event: string): string {
  return lookOf(event).color;
}

export function NotificationIcon({ event }: { readonly event: string }) {
  const { Icon, color } = lookOf(event);
  return <Icon size={20} stroke={1.6} aria-hidden className="unshrinkable" color={`var(--mantine-color-${color}-6)`} />;
}
