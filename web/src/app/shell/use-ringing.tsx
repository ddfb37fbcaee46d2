// Tells the user of a new notification at once: a toast with a link for who is elsewhere in the app, and a notification of the
// browser's own for who is not looking at it.

import { Anchor, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Notification as Told } from "../../../../src/protocol/api.ts";
import { browserPermission } from "../../lib/browser-permission.ts";
import { onNotification } from "../../lib/live/use-feed.ts";
import { leadsTo, useOpenNotification } from "../../lib/use-notifications.ts";
import { notificationColor } from "../../ui/notification-icon.tsx";
import { takeTelling } from "./told-once.ts";

type Open = (told: Told) => void;

/** A question stays longer: it is what keeps the run from going on. */
const questionShownMs = 20_000;
const shownMs = 8_000;
/** The tab that the user looks at, if there is one, is first to say it. */
const othersWaitMs = 300;

export function useRinging(): void {
  const router = useRouter();
  const open = useOpenNotification();
  useEffect(
    () =>
      onNotification((told) => {
        const isThere = leadsTo(told, router.latestLocation.pathname);
        if (told.read_at === null && !isThere) showToast(told, open);
        if (told.browser) void showOutside(told, open);
      }),
    [router, open],
  );
}

const isQuestion = ({ event }: Told) => event === "waiting_on_user" || event === "escalation";

function showToast(told: Told, open: Open): void {
  // What was said of the same thing before is out of date.
  notifications.hide(told.id);
  notifications.show({
    id: told.id,
    color: notificationColor(told.event),
    title: told.title,
    message: <ToastText told={told} open={open} />,
    autoClose: isQuestion(told) ? questionShownMs : shownMs,
  });
}

/** Toasts are outside of the router, so the link is followed by hand. */
function ToastText({ told, open }: { readonly told: Told; readonly open: Open }) {
  return (
    <>
      <Text size="sm" lineClamp={3} className="breakable" dir="auto">
        {told.message}
      </Text>
      <Anchor
        href={told.action_url}
        size="sm"
        display="block"
        underline="always"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          notifications.hide(told.id);
          open(told);
        }}
      >
        {isQuestion(told) ? "Answer it" : "Open it"}
      </Anchor>
    </>
  );
}

async function showOutside(told: Told, open: Open): Promise<void> {
  if (browserPermission() !== "granted") return;
  if (!document.hasFocus()) await new Promise((resolve) => setTimeout(resolve, othersWaitMs));
  const isOurs = await takeTelling(`${told.id} ${told.created_at}`);
  if (!isOurs || document.hasFocus()) return;
  const shown = new Notification(told.title, { body: told.message, tag: told.id });
  shown.addEventListener("click", () => {
    window.focus();
    open(told);
    shown.close();
  });
}
