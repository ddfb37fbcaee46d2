// How server state is fetched and how its failures are told: signed out → sign-in page, the rest as a toast or in place.

import { notifications } from "@mantine/notifications";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { codeOf, currentOf, isSignedOut, messageOf } from "./failure.ts";
import { tone } from "./tones.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: { readonly showsOwnErrors?: boolean };
  }
}

/** Tries after the first one, for failures that may pass by themselves. */
const maxRetries = 2;

export function createQueryClient(options: { readonly onSignedOut: () => void }): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // "always": a server on this machine answers without internet, whatever the browser thinks of being online.
      queries: { networkMode: "always", staleTime: 10_000, retry: mayHelpToRetry },
      mutations: { networkMode: "always" },
    },
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (isSignedOut(error)) options.onSignedOut();
        else if (query.state.data !== undefined && codeOf(error) !== "unreachable") showFailure(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _input, _context, mutation) => {
        if (isSignedOut(error)) options.onSignedOut();
        else if (currentOf(error) === undefined && !mutation.meta?.showsOwnErrors) showFailure(error);
      },
    }),
  });
}

function mayHelpToRetry(failures: number, error: Error): boolean {
  const code = codeOf(error);
  return failures < maxRetries && (code === "rate_limited" || code === "database_unavailable" || code === "internal");
}

function showFailure(error: unknown): void {
  notifications.show({ color: tone.failure, title: "That did not work", message: messageOf(error) });
}
