// Every page's address. Pages but home are fetched when first visited; this file only says which belongs where.

import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, notFound, redirect } from "@tanstack/react-router";
import { kindOfPlural } from "../../../src/protocol/kinds.ts";
import { RunsPage } from "../features/runs/list/runs-page.tsx";
import { lazyPage } from "../lib/lazy-page.ts";
import { flagOf, type ListSearch, parseSearch, stringifySearch, wordOf } from "../lib/search-params.ts";
import { NotFoundNotice } from "../ui/not-found-notice.tsx";
import { PageSkeleton } from "../ui/skeletons.tsx";
import { agentRoutes } from "./agent-routes.ts";
import { ErrorPage } from "./error-page.tsx";
import { outcomeRoutes } from "./outcome-routes.ts";
import { root, signedIn } from "./root-routes.tsx";
import { runRoutes } from "./run-routes.ts";

type Raw = Record<string, unknown>;
type RunsSearch = { readonly group?: string | undefined; readonly q?: string | undefined };
type SignInSearch = { readonly return_to?: string | undefined; readonly error?: string | undefined };

const signInSearch = (raw: Raw): SignInSearch => ({ return_to: wordOf(raw.return_to), error: wordOf(raw.error) });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "sign-in",
  validateSearch: signInSearch,
  component: lazyPage(() => import("../features/auth/sign-in-page.tsx"), "SignInPage"),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: "sign-up",
  validateSearch: signInSearch,
  component: lazyPage(() => import("../features/auth/sign-up-page.tsx"), "SignUpPage"),
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/homework", replace: true });
  },
});

const homework = createRoute({
  getParentRoute: () => signedIn,
  path: "homework",
  validateSearch: (raw: Raw): RunsSearch => ({ group: wordOf(raw.group), q: wordOf(raw.q) }),
  // In the first file: most visits begin here.
  component: RunsPage,
});

const chats = createRoute({
  getParentRoute: () => signedIn,
  path: "chat",
  component: lazyPage(() => import("../features/chat/chats-page.tsx"), "ChatsPage"),
});

const chat = createRoute({
  getParentRoute: () => signedIn,
  path: "chat/$chatId",
  component: lazyPage(() => import("../features/chat/chat-page.tsx"), "ChatPage"),
});

const notifications = createRoute({
  getParentRoute: () => signedIn,
  path: "notifications",
  validateSearch: (raw: Raw): { readonly unread?: true | undefined } => ({ unread: flagOf(raw.unread) }),
  component: lazyPage(() => import("../features/notifications/notifications-page.tsx"), "NotificationsPage"),
});

const listSearch = (raw: Raw): ListSearch => ({
  new: flagOf(raw.new),
  bin: flagOf(raw.bin),
  state: wordOf(raw.state),
  sort: wordOf(raw.sort),
  notes: flagOf(raw.notes),
});

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: "projects",
  validateSearch: listSearch,
  component: lazyPage(() => import("../features/projects/projects-page.tsx"), "ProjectsPage"),
});

const project = createRoute({
  getParentRoute: () => signedIn,
  path: "projects/$projectId",
  component: lazyPage(() => import("../features/projects/project-scope.tsx"), "ProjectScope"),
});

const projectTabs = createRoute({
  getParentRoute: () => project,
  id: "tabs",
  component: lazyPage(() => import("../features/projects/project-frame.tsx"), "ProjectFrame"),
});

const overview = createRoute({
  getParentRoute: () => projectTabs,
  path: "/",
  component: lazyPage(() => import("../features/projects/overview-tab.tsx"), "OverviewTab"),
});

const members = createRoute({
  getParentRoute: () => projectTabs,
  path: "members",
  component: lazyPage(() => import("../features/projects/members-tab.tsx"), "MembersTab"),
});

const projectRuns = createRoute({
  getParentRoute: () => projectTabs,
  path: "homework",
  component: lazyPage(() => import("../features/runs/list/project-runs-tab.tsx"), "ProjectRunsTab"),
});

const history = createRoute({
  getParentRoute: () => projectTabs,
  path: "history",
  component: lazyPage(() => import("../features/projects/history-tab.tsx"), "HistoryTab"),
});

function refuseUnknownKind(plural: string): void {
  if (!kindOfPlural(plural)) throw notFound();
}

const entities = createRoute({
  getParentRoute: () => projectTabs,
  path: "$plural",
  beforeLoad: ({ params }) => refuseUnknownKind(params.plural),
  validateSearch: listSearch,
  component: lazyPage(() => import("../features/entities/entities-tab.tsx"), "EntitiesTab"),
});

const entity = createRoute({
  getParentRoute: () => project,
  path: "$plural/$entityId",
  beforeLoad: ({ params }) => refuseUnknownKind(params.plural),
  component: lazyPage(() => import("../features/entities/entity-page.tsx"), "EntityPage"),
});

type SearchPageSearch = {
  readonly q?: string | undefined;
  readonly kind?: string | undefined;
  /** Also the working notes of runs. */
  readonly notes?: true | undefined;
};

const search = createRoute({
  getParentRoute: () => signedIn,
  path: "search",
  validateSearch: (raw: Raw): SearchPageSearch => ({
    q: wordOf(raw.q),
    kind: wordOf(raw.kind),
    notes: flagOf(raw.notes),
  }),
  component: lazyPage(() => import("../features/search/search-page.tsx"), "SearchPage"),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: "settings",
  component: lazyPage(() => import("../features/settings/settings-frame.tsx"), "SettingsFrame"),
});

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/profile", replace: true });
  },
});

const profile = createRoute({
  getParentRoute: () => settings,
  path: "profile",
  component: lazyPage(() => import("../features/settings/profile-page.tsx"), "ProfilePage"),
});

const sessions = createRoute({
  getParentRoute: () => settings,
  path: "sessions",
  component: lazyPage(() => import("../features/settings/sessions-page.tsx"), "SessionsPage"),
});

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: "keys",
  component: lazyPage(() => import("../features/settings/keys-page.tsx"), "KeysPage"),
});

const notificationSettings = createRoute({
  getParentRoute: () => settings,
  path: "notifications",
  component: lazyPage(() => import("../features/settings/notification-settings-page.tsx"), "NotificationSettingsPage"),
});

const channels = createRoute({
  getParentRoute: () => settings,
  path: "channels",
  component: lazyPage(() => import("../features/settings/channels-page.tsx"), "ChannelsPage"),
});

const people = createRoute({
  getParentRoute: () => settings,
  path: "people",
  component: lazyPage(() => import("../features/settings/people-page.tsx"), "PeoplePage"),
});

const models = createRoute({
  getParentRoute: () => settings,
  path: "models",
  component: lazyPage(() => import("../features/settings/models-page.tsx"), "ModelsPage"),
});

const quotas = createRoute({
  getParentRoute: () => settings,
  path: "quotas",
  component: lazyPage(() => import("../features/settings/quotas-page.tsx"), "QuotasPage"),
});

const allRuns = createRoute({
  getParentRoute: () => settings,
  path: "all-runs",
  component: lazyPage(() => import("../features/settings/all-runs-page.tsx"), "AllRunsPage"),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: "audit",
  component: lazyPage(() => import("../features/settings/audit-page.tsx"), "AuditPage"),
});

/** Any other address: said inside the shell, so that one can go on from there. */
const unknown = createRoute({ getParentRoute: () => signedIn, path: "$", component: NotFoundNotice });

const routeTree = root.addChildren([
  signIn,
  signUp,
  signedIn.addChildren([
    home,
    homework,
    runRoutes,
    ...outcomeRoutes,
    chats,
    chat,
    notifications,
    projects,
    project.addChildren([projectTabs.addChildren([overview, projectRuns, members, history, entities]), entity]),
    search,
    settings.addChildren([
      settingsHome,
      profile,
      sessions,
      apiKeys,
      notificationSettings,
      channels,
      models,
      people,
      quotas,
      allRuns,
      audit,
    ]),
    ...agentRoutes,
    unknown,
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundNotice,
    scrollRestoration: true,
  });
}

type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
