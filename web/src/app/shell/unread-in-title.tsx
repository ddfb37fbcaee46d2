// Puts the number of unread notifications before the title of the browser tab, whatever page sets it.

import { useEffect } from "react";
import { titleWith } from "./counts.ts";

export function UnreadInTitle({ unread }: { readonly unread: number }) {
  useEffect(() => {
    const write = (count: number) => {
      const wanted = titleWith(count, document.title);
      if (document.title !== wanted) document.title = wanted;
    };
    write(unread);
    const observer = new MutationObserver(() => write(unread));
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      write(0);
    };
  }, [unread]);
  return null;
}
