// Tells the user of a new notification at once: a toast with a link while another page is open, one toast for several of them, and a
// notification of the browser's own while the user looks elsewhere.

import { Anchor, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Notification as Told } from "../../../../src/protocol/api.ts";
import { browserPermission } from "../../lib/browser-permission.ts";
import { onNotification } from "../../lib/live/use-feed.ts";
import { leadsTo, useOpenNotification } from "../../lib/use-notifications.ts";
import { notificationColor } from "../../ui/notification-color.ts";
import { plainWords } from "../../ui/plain-words.ts";
import { addTold, describeMany, type ToastGroup, toastGroup, worstEvent } from "./toast-groups.ts";
import { takeTelling } from "./told-once.ts";

type Open = (told: Told) => void;
type Doors = { readonly open: Open; readonly router: ReturnType<typeof useRouter> };

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
        if (told.read_at === null && !isThere) showToast(told, { open, router });
        if (told.browser) void showOutside(told, open);
      }),
    [router, open],
  );
}

/** What the toast of a group tells of right now. */
const shown = new Map<ToastGroup, readonly Told[]>();

/** A group has one toast: what comes while it is shown joins it. */
function showToast(told: Told, doors: Doors): void {
  const group = toastGroup(told);
  const id = `told-${group}`;
  const all = addTold(shown.get(group) ?? [], told);
  notifications.hide(id);
  shown.set(group, all);
  notifications.show({
    id,
    color: notificationColor(worstEvent(all)),
    ...(all.length === 1 ? wordsOfOne(told, id, doors) : wordsOfMany(all, group, id, doors)),
    autoClose: group === "questions" ? questionShownMs : shownMs,
    onClose: () => shown.delete(group),
  });
}

function wordsOfOne(told: Told, id: string, { open }: Doors) {
  const message = (
    <>
      <Text size="sm" lineClamp={3} className="breakable" dir="auto">
        {plainWords(told.message)}
      </Text>
      <ToastLink toastId={id} address={told.action_url} follow={() => open(told)}>
        {toastGroup(told) === "questions" ? "Answer" : "Open"}
      </ToastLink>
    </>
  );
  return { title: told.title, message };
}

function wordsOfMany(all: readonly Told[], group: ToastGroup, id: string, { router }: Doors) {
  const { title, address } = describeMany(all, group);
  const message = (
    <ToastLink toastId={id} address={address} follow={() => router.history.push(address)}>
      Show all
    </ToastLink>
  );
  return { title, message };
}

type ToastLinkProps = {
  readonly toastId: string;
  readonly address: string;
  readonly follow: () => void;
  readonly children: string;
};

/** Toasts are outside of the router, so the link is followed by hand. */
function ToastLink({ toastId, address, follow, children }: ToastLinkProps) {
  return (
    <Anchor
      href={address}
      size="sm"
      display="block"
      underline="always"
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        notifications.hide(toastId);
        follow();
      }}
    >
      {children}
    </Anchor>
  );
}

async function showOutside(told: Told, open: Open): Promise<void> {
  if (browserPermission() !== "granted") return;
  if (!document.hasFocus()) await new Promise((resolve) => setTimeout(resolve, othersWaitMs));
  const isOurs = await takeTelling(`${told.id} ${told.created_at}`);
  if (!isOurs || document.hasFocus()) return;
  const shown = new Notification(told.title, { body: plainWords(told.message), tag: told.id });
  shown.addEventListener("click", () => {
    window.focus();
    open(told);
    shown.close();
  });
}
