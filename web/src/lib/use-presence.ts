// Tells the server that its user is here: when a page is opened, and when they do something after a while. A tab that is left open
// overnight tells nothing, so that the morning's first click begins a new visit.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { routes } from "../../../src/protocol/api.ts";
import { api } from "./api.ts";
import { newsKey } from "./data/runs.ts";

/** Well below what ends a visit (src/store/run-view/visit-store.ts). */
const tellEveryMs = 5 * 60_000;

/** For the shell alone. */
export function usePresence(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let toldAt = Number.NEGATIVE_INFINITY;
    const tell = () => {
      if (document.visibilityState !== "visible" || performance.now() - toldAt < tellEveryMs) return;
      toldAt = performance.now();
      // What fails here is asked again with the next click; the page shows what it knew.
      api(routes.runParts.visit, {}).then(
        async (news) => {
          // An answer from before this visit began must not come after it.
          await queryClient.cancelQueries({ queryKey: newsKey });
          queryClient.setQueryData(newsKey, news);
        },
        () => {
          toldAt = Number.NEGATIVE_INFINITY;
        },
      );
    };
    const stop = new AbortController();
    for (const event of ["pointerdown", "keydown", "visibilitychange"])
      document.addEventListener(event, tell, { signal: stop.signal, passive: true });
    tell();
    return () => stop.abort();
  }, [queryClient]);
}
