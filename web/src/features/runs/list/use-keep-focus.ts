// A run that changes its group moves to another list, where its row is a new one. The focus of the old row goes to the new one, also
// if that comes a while later and the focus was put elsewhere meanwhile, as long as the reader has done nothing.

import { type RefObject, useEffect } from "react";

export function useKeepFocus(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    let focused: string | undefined;
    /** Its row went away with the focus. */
    let lost: string | undefined;
    const rowOf = (id: string) => element.querySelector<HTMLElement>(`[data-run="${CSS.escape(id)}"]`);
    const remember = ({ target }: FocusEvent) => {
      focused = (target as Element).closest<HTMLElement>("[data-run]")?.dataset.run;
    };
    // Nothing tells of a focus that went with its element, so changes of the list are looked at.
    const watcher = new MutationObserver(() => {
      if (focused !== undefined && document.activeElement === document.body) lost = focused;
      const link = lost === undefined ? null : rowOf(lost)?.querySelector("a");
      if (!link) return;
      lost = undefined;
      link.focus({ preventScroll: true });
    });
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node) focused = undefined;
    };
    const act = () => {
      lost = undefined;
    };
    const stop = new AbortController();
    const { signal } = stop;
    watcher.observe(element, { childList: true, subtree: true });
    element.addEventListener("focusin", remember, { signal });
    element.addEventListener("focusout", leave, { signal });
    document.addEventListener("keydown", act, { capture: true, signal });
    document.addEventListener("pointerdown", act, { capture: true, signal });
    return () => {
      watcher.disconnect();
      stop.abort();
    };
  }, [list]);
}
