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
  useEffect(() => {
    if (me.data) router.history.replace(safeReturn(returnTo));
  }, [me.data, router, returnTo]);
}

/** Notes who signed in; the page then leaves by itself. */
export function useSignedIn(): (me: Me) => void {
  const queryClient = useQueryClient();
  return useCallback(
    (me: Me) => {
      queryClient.clear();
      queryClient.setQueryData(keys.me, me);
    },
    [queryClient],
  );
}
