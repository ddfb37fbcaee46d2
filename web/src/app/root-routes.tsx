// What every page is in: the frame, and the shell for those who are signed in.

import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute } from "@tanstack/react-router";
import { isAgentsOnly } from "../lib/page-set.ts";
import { NotFoundNotice } from "../ui/not-found-notice.tsx";
import { WholeErrorPage } from "./error-page.tsx";
import { Frame } from "./frame.tsx";
import { AgentsShell } from "./shell/agents-shell.tsx";
import { Shell } from "./shell/shell.tsx";
import { requireSignedIn } from "./sign-in-gate.ts";

export const root = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: Frame,
  notFoundComponent: NotFoundNotice,
});

export const signedIn = createRoute({
  getParentRoute: () => root,
  id: "in",
  beforeLoad: ({ context, location }) => requireSignedIn(context.queryClient, location.href),
  component: isAgentsOnly ? AgentsShell : Shell,
  errorComponent: WholeErrorPage,
});
