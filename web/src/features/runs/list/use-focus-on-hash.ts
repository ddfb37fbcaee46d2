// An address such as `/homework#new` puts the focus on a part of the page once that part is there, also for a user who is on the
// page already. Each visit of the address does so once.

import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";

export function useFocusOnHash(hash: string, part: RefObject<HTMLElement | null>, isReady: boolean): void {
  const { hash: asked, state: visit } = useLocation();
  const answered = useRef<unknown>(null);
  useEffect(() => {
    if (!isReady || asked !== hash || answered.current === visit) return;
    answered.current = visit;
    part.current?.focus();
  }, [hash, asked, visit, part, isReady]);
}
