// Who may pass: pages of the shell need someone signed in; everyone else signs in first and then comes back.

import type { QueryClient } from "@tanstack/react-query";
import { type RegisteredRouter, redirect } from "@tanstack/react-router";
import { keys } from "../lib/data/keys.ts";
import { meQuery } from "../lib/data/me.ts";
import { isSignedOut } from "../lib/failure.ts";
import { isAgentsOnly } from "../lib/page-set.ts";

export async function requireSignedIn(queryClient: QueryClient, address: string): Promise<void> {
  if (isAgentsOnly) {
    // There is no one to sign in, and no other page.
    if (!/^\/agents(\/|\?|#|$)/.test(address)) throw redirect({ to: "/agents", replace: true });
    return;
  }
  try {
    await queryClient.ensureQueryData(meQuery);
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: "/sign-in", search: { return_to: address } });
    throw error;
  }
}

/** A call was refused because the user is no longer signed in. */
export function goToSignIn(router: RegisteredRouter, queryClient: QueryClient): void {
  if (isAgentsOnly) return;
  const { pathname, href } = router.latestLocation;
  if (pathname === "/sign-in" || pathname === "/sign-up") return;
  queryClient.removeQueries({ queryKey: keys.me });
  void router.navigate({ to: "/sign-in", search: { return_to: href } });
}
