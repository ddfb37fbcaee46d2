// Links that look like tabs: each has an address, so it can be opened in a new tab and shared.

import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";

type TabLinksProps = { readonly label: string; readonly children: ReactNode };

export function TabLinks({ label, children }: TabLinksProps) {
  const nav = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  // On a narrow screen the row scrolls, and the chosen tab may lie outside.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address means another chosen tab
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [pathname]);
  return (
    <nav ref={nav} aria-label={label} className="tab-links">
      {children}
    </nav>
  );
}
