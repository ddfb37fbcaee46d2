// Links that look like tabs: each has an address, so it can be opened in a new tab and shared.

import { type ReactNode, useEffect, useRef } from "react";

type TabLinksProps = { readonly label: string; readonly children: ReactNode };

export function TabLinks({ label, children }: TabLinksProps) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const row = nav.current;
    if (row === null) return;
    const show = () => bringIntoView(row);
    show();
    // Some tabs come later than the row, and a link is marked as chosen only once its page is there.
    const changes = new MutationObserver(show);
    changes.observe(row, { subtree: true, childList: true, attributeFilter: ["aria-current"] });
    // A telephone that is turned makes the row narrower than the one that was scrolled.
    const widths = new ResizeObserver(show);
    widths.observe(row);
    return () => {
      changes.disconnect();
      widths.disconnect();
    };
  }, []);
  return (
    <nav ref={nav} aria-label={label} className="tab-links">
      {children}
    </nav>
  );
}

/** In the middle, so that its neighbours show that there is more on both sides. Only the row scrolls, never the page. */
function bringIntoView(row: HTMLElement): void {
  const chosen = row.querySelector('[aria-current="page"]');
  if (chosen === null) return;
  const [outer, inner] = [row.getBoundingClientRect(), chosen.getBoundingClientRect()];
  row.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}
