// A run that changes its group moves to another list, where its row is a new one. The focus of the old row goes to the new one.

import { type RefObject, useEffect } from "react";

export function useKeepFocus(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    let runId: string | undefined;
    const rowOf = (id: string) => element.querySelector<HTMLElement>(`[data-run="${CSS.escape(id)}"]`);
    const remember = ({ target }: FocusEvent) => {
      runId = (target as Element).closest<HTMLElement>("[data-run]")?.dataset.run;
    };
    // Nothing tells of a focus that went with its element, so changes of the list are looked at.
    const watcher = new MutationObserver(() => {
      if (runId === undefined || document.activeElement !== document.body) return;
      rowOf(runId)?.querySelector("a")?.focus({ preventScroll: true });
    });
    const forget = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node) runId = undefined;
    };
    watcher.observe(element, { childList: true, subtree: true });
    element.addEventListener("focusin", remember);
    element.addEventListener("focusout", forget);
    return () => {
      watcher.disconnect();
      element.removeEventListener("focusin", remember);
      element.removeEventListener("focusout", forget);
    };
  }, [list]);
}
