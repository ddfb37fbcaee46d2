// Every page there is, as addresses in the sample world: what the browser tests visit and the screenshots show.
// A new page gets a line here.

import { type EntityKind, entityKinds, kindSpecs } from "../../src/protocol/kinds.ts";
import type { SampleState } from "./sample-lab.ts";
import type { SampleWorld } from "./sample-world.ts";
import type { WebSession } from "./web-session.ts";

/** Who looks at a page; nobody is someone not signed in. */
export const visitors = ["ada", "bo", "cleo", "dora", "eli", "nobody"] as const;
export type Visitor = (typeof visitors)[number];

export type SamplePage = {
  readonly name: string;
  readonly path: string;
  readonly as: Visitor;
  /** Another state of a page listed here too. */
  readonly variant?: true;
};

export function profileOf(world: SampleWorld, visitor: Visitor): WebSession["profile"] {
  return visitor === "nobody" ? {} : world[visitor].profile;
}

export function samplePages(world: SampleWorld): readonly SamplePage[] {
  return [
    ...projectPages(world),
    ...entityPages(world),
    ...otherPages,
    ...settingsPages,
    ...runPages(world),
    ...outcomePages(world),
    ...toldPages,
    ...chatPages(world),
    ...signedOutPages,
  ];
}

const ada = (name: string, path: string): SamplePage => ({ name, path, as: "ada" });
const variant = (name: string, path: string): SamplePage => ({ name, path, as: "ada", variant: true });

/** Goals, plans and milestones have the pages of tasks. */
const ofKind = (kind: EntityKind, name: string, path: string) =>
  kind === "task" || kind === "document" ? ada(name, path) : variant(name, path);

function projectPages({ project, emptyProject }: SampleWorld): readonly SamplePage[] {
  const at = `/projects/${project.id}`;
  return [
    ada("projects", "/projects"),
    variant("projects-new", "/projects?new=true"),
    variant("projects-bin", "/projects?bin=true"),
    { name: "projects-none", path: "/projects", as: "cleo" },
    ada("project-overview", at),
    ...entityKinds.map((kind) => ofKind(kind, `project-${kindSpecs[kind].plural}`, `${at}/${kindSpecs[kind].plural}`)),
    variant("project-documents-by-title", `${at}/documents?sort=title`),
    ada("project-tasks-new", `${at}/tasks?new=true`),
    variant("project-tasks-bin", `${at}/tasks?bin=true`),
    ada("project-members", `${at}/members`),
    ada("project-history", `${at}/history`),
    ada("project-empty-overview", `/projects/${emptyProject.id}`),
    ada("project-empty-documents", `/projects/${emptyProject.id}/documents`),
  ];
}

function entityPages({ project, things, taskInBin }: SampleWorld): readonly SamplePage[] {
  const at = (plural: string, id: string) => `/projects/${project.id}/${plural}/${id}`;
  return [
    ...entityKinds.map((kind) => ofKind(kind, kind, at(kindSpecs[kind].plural, things[kind].id))),
    ada("task-in-bin", at("tasks", taskInBin.id)),
    { name: "document-read-only", path: at("documents", things.document.id), as: "bo" },
  ];
}

const otherPages = [
  ada("search", "/search"),
  ada("search-found", "/search?q=moving"),
  variant("search-nothing", "/search?q=submarine"),
  ada("not-found", "/nowhere/at/all"),
  variant("not-found-project", "/projects/00000000-0000-7000-8000-000000000000"),
];

const settingsPages = [
  "profile",
  "sessions",
  "keys",
  "notifications",
  "channels",
  "models",
  "people",
  "quotas",
  "all-runs",
  "audit",
].map((name) => ada(`settings-${name}`, `/settings/${name}`));

const runTabs = ["activity", "sources", "details"] as const;

function runPages({ runs }: SampleWorld): readonly SamplePage[] {
  const at = (state: SampleState) => `/homework/runs/${runs[state]}`;
  const states = Object.keys(runs) as SampleState[];
  const dora = (name: string, path: string): SamplePage => ({ name, path, as: "dora" });
  return [
    { name: "homework-none", path: "/homework", as: "cleo" },
    dora("homework", "/homework"),
    { ...dora("homework-needs-you", "/homework?group=needs_you"), variant: true },
    { ...dora("homework-finished", "/homework?group=finished"), variant: true },
    { ...dora("homework-nothing-found", "/homework?q=submarine"), variant: true },
    { name: "homework-hundred", path: "/homework", as: "eli" },
    ...states.map((state) => dora(`run-${state}`, at(state))),
    ...runTabs.map((tab) => dora(`run-completed-${tab}`, `${at("completed")}/${tab}`)),
    { ...dora("run-completed-events", `${at("completed")}/activity?events=true`), variant: true },
    ...runTabs.map((tab): SamplePage => ({ ...dora(`run-running-${tab}`, `${at("running")}/${tab}`), variant: true })),
    { ...dora("run-gone", "/homework/runs/00000000-0000-7000-8000-000000000000"), variant: true },
  ];
}

function outcomePages({ outcomeId, outcomeTaskId, longOutcomeId, graphOutcomeId }: SampleWorld): readonly SamplePage[] {
  const at = `/outcomes/${outcomeId}`;
  return [
    ada("outcomes", "/outcomes"),
    { name: "outcomes-none", path: "/outcomes", as: "cleo" },
    variant("outcomes-nothing-found", "/outcomes?q=submarine"),
    ada("outcome-new", "/outcomes/new"),
    ada("outcome", at),
    variant("outcome-draft", `/outcomes/${longOutcomeId}`),
    variant("outcome-activity", `${at}?activity=true`),
    ada("outcome-approach", `${at}/approach`),
    variant("outcome-gone", "/outcomes/00000000-0000-7000-8000-000000000000"),
    ada("outcome-tasks", `${at}/tasks`),
    ada("outcome-graph", `/outcomes/${graphOutcomeId}/tasks?view=graph`),
    variant("outcome-task", `${at}/tasks?task=${outcomeTaskId}`),
    variant("outcome-settings", `${at}?settings=true`),
    ada("memories", "/memories"),
    { name: "memories-none", path: "/memories", as: "cleo" },
  ];
}

const toldPages: readonly SamplePage[] = [
  { name: "notifications", path: "/notifications", as: "dora" },
  { name: "notifications-unread", path: "/notifications?unread=true", as: "dora", variant: true },
  { name: "notifications-none", path: "/notifications", as: "cleo" },
];

const chatPages = ({ chatId }: SampleWorld): readonly SamplePage[] => [
  { name: "chats", path: "/chat", as: "dora" },
  { name: "chat", path: `/chat/${chatId}`, as: "dora" },
  { name: "chats-none", path: "/chat", as: "cleo", variant: true },
];

const signedOutPages: readonly SamplePage[] = [
  { name: "sign-in", path: "/sign-in", as: "nobody" },
  { name: "sign-in-link-expired", path: "/sign-in?error=link_expired", as: "nobody", variant: true },
  { name: "sign-up", path: "/sign-up", as: "nobody" },
];
