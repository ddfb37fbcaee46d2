// Says the new page's title to screen readers after the address changed; a browser only does so for full loads.

import { VisuallyHidden } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Long enough for the new page to have set its title. */
const settleMs = 400;

export function PageAnnouncer() {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const [title, setTitle] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what there is to announce
  useEffect(() => {
    const timer = setTimeout(() => setTitle(document.title), settleMs);
    return () => clearTimeout(timer);
  }, [pathname]);
  return <VisuallyHidden aria-live="polite">{title}</VisuallyHidden>;
}
