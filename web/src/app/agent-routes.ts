// The addresses of agents: their projects, tasks and runs.

import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../lib/lazy-page.ts";
import { wordOf } from "../lib/search-params.ts";
import { signedIn } from "./root-routes.tsx";

type Raw = Record<string, unknown>;

const agents = createRoute({
  getParentRoute: () => signedIn,
  path: "agents",
  component: lazyPage(() => import("../features/agents/agents-page.tsx"), "AgentsPage"),
});

const startTask = createRoute({
  getParentRoute: () => signedIn,
  path: "agents/start",
  validateSearch: (raw: Raw): { readonly project?: string | undefined } => ({ project: wordOf(raw.project) }),
  component: lazyPage(() => import("../features/agents/start/start-page.tsx"), "StartPage"),
});

const agentProject = createRoute({
  getParentRoute: () => signedIn,
  path: "agents/projects/$agentProject",
  component: lazyPage(() => import("../features/agents/project/project-frame.tsx"), "ProjectFrame"),
});

const agentTasks = createRoute({
  getParentRoute: () => agentProject,
  path: "/",
  component: lazyPage(() => import("../features/agents/project/tasks-tab.tsx"), "TasksTab"),
});

const agentProjectBus = createRoute({
  getParentRoute: () => agentProject,
  path: "messages",
  component: lazyPage(() => import("../features/agents/project/project-messages-tab.tsx"), "ProjectMessagesTab"),
});

const agentProjectFacts = createRoute({
  getParentRoute: () => agentProject,
  path: "facts",
  component: lazyPage(() => import("../features/agents/project/project-facts-tab.tsx"), "ProjectFactsTab"),
});

const agentTask = createRoute({
  getParentRoute: () => signedIn,
  path: "agents/projects/$agentProject/tasks/$agentTask",
  component: lazyPage(() => import("../features/agents/task/task-frame.tsx"), "TaskFrame"),
});

const agentRuns = createRoute({
  getParentRoute: () => agentTask,
  path: "/",
  component: lazyPage(() => import("../features/agents/task/runs-tab.tsx"), "RunsTab"),
});

const agentBus = createRoute({
  getParentRoute: () => agentTask,
  path: "messages",
  component: lazyPage(() => import("../features/agents/task/messages-tab.tsx"), "MessagesTab"),
});

const agentDetails = createRoute({
  getParentRoute: () => agentTask,
  path: "details",
  component: lazyPage(() => import("../features/agents/task/details-tab.tsx"), "DetailsTab"),
});

const agentRun = createRoute({
  getParentRoute: () => agentTask,
  path: "runs/$agentRun",
  component: lazyPage(() => import("../features/agents/run/run-tab.tsx"), "RunTab"),
});

export const agentRoutes = [
  agents,
  startTask,
  agentProject.addChildren([agentTasks, agentProjectBus, agentProjectFacts]),
  agentTask.addChildren([agentRuns, agentBus, agentDetails, agentRun]),
] as const;
