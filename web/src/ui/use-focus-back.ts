// Gives the focus back to where it was when something that had it is taken away whole.

import { useEffect, useState } from "react";

/** Mantine gives it back when `opened` turns false; one that is taken away whole never gets there. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [before]);
}
