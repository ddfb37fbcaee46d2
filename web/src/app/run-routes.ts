// The addresses of a run's page. Those that its tabs had before lead to the tab that shows the same today.

import { createRoute, redirect } from "@tanstack/react-router";
import { runQuery } from "../lib/data/runs.ts";
import { lazyPage } from "../lib/lazy-page.ts";
import { flagOf, wordOf } from "../lib/search-params.ts";
import { signedIn } from "./root-routes.tsx";

type Raw = Record<string, unknown>;

const run = createRoute({
  getParentRoute: () => signedIn,
  path: "homework/runs/$runId",
  // Asked for while the page's code is fetched.
  beforeLoad: ({ cause, context, params }) => {
    if (cause === "enter") void context.queryClient.prefetchQuery(runQuery(params.runId));
  },
  component: lazyPage(() => import("../features/runs/page/run-frame.tsx"), "RunFrame"),
});

const result = createRoute({
  getParentRoute: () => run,
  path: "/",
  component: lazyPage(() => import("../features/runs/page/result-tab.tsx"), "ResultTab"),
});

const activity = createRoute({
  getParentRoute: () => run,
  path: "activity",
  validateSearch: (raw: Raw): { readonly events?: true | undefined } => ({ events: flagOf(raw.events) }),
  component: lazyPage(() => import("../features/runs/timeline/activity-tab.tsx"), "ActivityTab"),
});

const sources = createRoute({
  getParentRoute: () => run,
  path: "sources",
  validateSearch: (raw: Raw): { readonly document?: string | undefined; readonly q?: string | undefined } => ({
    document: wordOf(raw.document),
    q: wordOf(raw.q),
  }),
  component: lazyPage(() => import("../features/runs/research/sources-tab.tsx"), "SourcesTab"),
});

const details = createRoute({
  getParentRoute: () => run,
  path: "details",
  component: lazyPage(() => import("../features/runs/page/details-tab.tsx"), "DetailsTab"),
});

const timeline = createRoute({
  getParentRoute: () => run,
  path: "timeline",
  beforeLoad: ({ params, location: { hash } }) => {
    throw redirect({ to: "/homework/runs/$runId/activity", params, hash, replace: true });
  },
});

const events = createRoute({
  getParentRoute: () => run,
  path: "events",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/homework/runs/$runId/activity", params, search: { events: true }, replace: true });
  },
});

const research = createRoute({
  getParentRoute: () => run,
  path: "research",
  validateSearch: (raw: Raw) => ({ document: wordOf(raw.document), q: wordOf(raw.q) }),
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: "/homework/runs/$runId/sources", params, search, replace: true });
  },
});

const outputs = createRoute({
  getParentRoute: () => run,
  path: "outputs",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/homework/runs/$runId", params, replace: true });
  },
});

const report = createRoute({
  getParentRoute: () => run,
  path: "report",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/homework/runs/$runId", params, replace: true });
  },
});

export const runRoutes = run.addChildren([
  result,
  activity,
  sources,
  details,
  timeline,
  events,
  research,
  outputs,
  report,
]);
