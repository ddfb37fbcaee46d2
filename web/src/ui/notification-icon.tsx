// One picture per thing a user is told of.

import {
  IconBell,
  IconCircleCheck,
  IconCircleX,
  IconClockPause,
  IconMessageQuestion,
  IconPlayerStop,
} from "@tabler/icons-react";
import { tone } from "../lib/tones.ts";

const looks = {
  completed: { Icon: IconCircleCheck, color: tone.passed },
  stopped: { Icon: IconPlayerStop, color: tone.plain },
  failed: { Icon: IconCircleX, color: tone.failure },
  waiting_on_user: { Icon: IconMessageQuestion, color: tone.needsYou },
  escalation: { Icon: IconMessageQuestion, color: tone.needsYou },
  outcome_achieved: { Icon: IconCircleCheck, color: tone.passed },
  outcome_stopped: { Icon: IconPlayerStop, color: tone.plain },
  holding: { Icon: IconClockPause, color: tone.plain },
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
