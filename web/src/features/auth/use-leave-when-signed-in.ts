// Someone who is signed in has no business here: goes back to where they were, also when they signed in elsewhere.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import type { Me } from "../../../../src/protocol/api.ts";
import { keys } from "../../lib/data/keys.ts";
import { meQuery } from "../../lib/data/me.ts";
import { safeReturn } from "../../lib/search-params.ts";

export function useLeaveWhenSignedIn(returnTo: string | undefined): void {
  const router = useRouter();
  const me = useQuery({ ...meQuery, staleTime: 0, refetchOnWindowFocus: "always", retry: false });
  const { refetch } = me;
  // Two windows side by side are both visible, so coming back is a matter of focus, not of visibility.
  useEffect(() => {
    const askAgain = () => void refetch();
    window.addEventListener("focus", askAgain);
    return () => window.removeEventListener("focus", askAgain);
  }, [refetch]);
  useEffect(() => {
    if (me.data) router.history.replace(safeReturn(returnTo));
  }, [me.data, router, returnTo]);
}

/** Notes who signed in; the page then leaves by itself. */
export function useSignedIn(): (me: Me) => void {
  const queryClient = useQueryClient();
  return useCallback(
    (me: Me) => {
      // The new user must not see what another user loaded here before.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" && queryKey[0] !== "instance" });
      queryClient.setQueryData(keys.me, me);
    },
    [queryClient],
  );
}
