// The dialog of the live view. What is in it is fetched when it is first opened.

import { Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useModals } from "@mantine/modals";
import { useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { RowsSkeleton } from "../../ui/skeletons.tsx";
import { closeLiveView, useLiveViewOpen } from "./live-view-door.ts";

const LiveView = lazy(async () => ({ default: (await import("../../features/live-view/live-view.tsx")).LiveView }));

/** Mantine's `sm`, below which the navigation hides too. */
const narrow = "(max-width: 47.99em)";

export function LiveViewModal() {
  const opened = useLiveViewOpen();
  const isNarrow = useMediaQuery(narrow) ?? false;
  const isAsking = useIsAsking();
  useCloseOnLeaving();
  return (
    <Modal
      opened={opened}
      onClose={closeLiveView}
      title="Homework, live"
      classNames={{ title: "dialog-title" }}
      size="min(1080px, 94vw)"
      fullScreen={isNarrow}
      closeOnEscape={!isAsking}
      // Closed, it has no say in where the focus goes after a question on the page.
      trapFocus={!(opened && isAsking)}
    >
      <Suspense fallback={<RowsSkeleton />}>
        <LiveView isNarrow={isNarrow} />
      </Suspense>
    </Modal>
  );
}

/**
 * A question above this dialog has the keyboard for itself. It is gone before the other listeners of the same key are
 * called, so it counts until that is over.
 */
function useIsAsking(): boolean {
  const isOpen = useModals().modals.length > 0;
  const [wasOpen, setWasOpen] = useState(isOpen);
  useEffect(() => {
    const timer = setTimeout(() => setWasOpen(isOpen), 0);
    return () => clearTimeout(timer);
  }, [isOpen]);
  return isOpen || wasOpen;
}

/** A user who follows a link wants to see where it leads. */
function useCloseOnLeaving(): void {
  const href = useRouterState({ select: (state) => state.location.href });
  const shown = useRef(href);
  useEffect(() => {
    if (shown.current !== href) closeLiveView();
    shown.current = href;
  }, [href]);
}
