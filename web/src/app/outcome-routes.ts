// The addresses of outcomes.

import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lib/lazy-page.ts";
import { flagOf, wordOf } from "../lib/search-params.ts";
import { signedIn } from "./root-routes.tsx";

type Raw = Record<string, unknown>;

const outcomes = createRoute({
  getParentRoute: () => signedIn,
  path: "outcomes",
  validateSearch: (raw: Raw): { readonly status?: string | undefined; readonly q?: string | undefined } => ({
    status: wordOf(raw.status),
    q: wordOf(raw.q),
  }),
  component: lazyPage(() => import("../features/outcomes/list/outcomes-page.tsx"), "OutcomesPage"),
});

const newOutcome = createRoute({
  getParentRoute: () => signedIn,
  path: "outcomes/new",
  component: lazyPage(() => import("../features/outcomes/create/new-outcome-page.tsx"), "NewOutcomePage"),
});

/** What is open beside the page of an outcome. */
type OutcomeSearch = {
  /** A task's id. */
  readonly task?: string | undefined;
  /** The question that one was led to. */
  readonly escalation?: string | undefined;
  /** The observation that one was led to. */
  readonly observation?: string | undefined;
  readonly activity?: true | undefined;
  readonly settings?: true | undefined;
  /** Of the tasks: as a picture of their dependencies. */
  readonly view?: "graph" | undefined;
};

const outcome = createRoute({
  getParentRoute: () => signedIn,
  path: "outcomes/$outcomeId",
  validateSearch: (raw: Raw): OutcomeSearch => ({
    task: wordOf(raw.task),
    escalation: wordOf(raw.escalation),
    observation: wordOf(raw.observation),
    activity: flagOf(raw.activity),
    settings: flagOf(raw.settings),
    view: raw.view === "graph" ? "graph" : undefined,
  }),
  component: lazyPage(() => import("../features/outcomes/page/outcome-frame.tsx"), "OutcomeFrame"),
});

const outcomeOverview = createRoute({
  getParentRoute: () => outcome,
  path: "/",
  component: lazyPage(() => import("../features/outcomes/page/overview-tab.tsx"), "OverviewTab"),
});

const outcomeTasks = createRoute({
  getParentRoute: () => outcome,
  path: "tasks",
  component: lazyPage(() => import("../features/outcomes/tasks/tasks-tab.tsx"), "TasksTab"),
});

const outcomeApproach = createRoute({
  getParentRoute: () => outcome,
  path: "approach",
  component: lazyPage(() => import("../features/outcomes/page/approach-tab.tsx"), "ApproachTab"),
});

const memories = createRoute({
  getParentRoute: () => signedIn,
  path: "memories",
  component: lazyPage(() => import("../features/memories/memories-page.tsx"), "MemoriesPage"),
});

export const outcomeRoutes = [
  memories,
  outcomes,
  newOutcome,
  outcome.addChildren([outcomeOverview, outcomeTasks, outcomeApproach]),
] as const;
