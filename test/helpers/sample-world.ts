// A server filled with believable things, for looking at every page: people, a project with something of each kind, an empty
// one, one in the bin, and runs in every state.

import { type Entity, type Project, routes } from "../../src/protocol/api.ts";
import type { Api } from "../../src/protocol/client.ts";
import type { EntityKind } from "../../src/protocol/kinds.ts";
import { fillSampleOutcomes, type SampleOutcomes } from "./sample-outcomes.ts";
import { fillSampleRuns, type SampleRuns } from "./sample-runs.ts";
import type { Serving } from "./served.ts";
import { type Person, signUp } from "./web-session.ts";

export type SampleWorld = SampleRuns &
  SampleOutcomes & {
    /** Manages the installation and owns the projects. */
    readonly ada: Person;
    /** Looks at one project and has none of their own. */
    readonly bo: Person;
    /** Has just arrived. */
    readonly cleo: Person;
    readonly project: Project;
    readonly emptyProject: Project;
    readonly things: Readonly<Record<EntityKind, Entity>>;
    readonly taskInBin: Entity;
  };

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Its models must be those of the sample lab. */
export async function fillSampleWorld(server: Serving & { readonly data: string }): Promise<SampleWorld> {
  const ada = await signUp(server, "Ada Lindqvist");
  const bo = await signUp(server, "Bo Okafor");
  const cleo = await signUp(server, "Cleo Martin");
  const { api } = ada;
  const project = await api(routes.projects.create, {
    body: {
      name: "Move to the new office",
      description: "By the end of March everyone works in Harbour Street, and nobody lost a day of work over it.",
    },
  });
  const emptyProject = await api(routes.projects.create, { body: { name: "Summer party" } });
  await api(routes.projects.create, {
    body: { name: "Website relaunch", description: "Waiting for the new logo.", state_key: "paused" },
  });
  const binned = await api(routes.projects.create, { body: { name: "Fax machine replacement" } });
  await api(routes.projects.remove, { params: { projectId: binned.id } });
  const params = { projectId: project.id };
  await api(routes.projects.addMember, { params, body: { email: bo.email, role: "viewer" } });
  const things = await fillProject(api, project.id);
  const taskInBin = await api(routes.task.create, { params, body: { title: "Order a second coffee machine" } });
  await api(routes.task.remove, { params: { ...params, entityId: taskInBin.id } });
  const plants = await api(routes.task.create, {
    params,
    body: { title: "Buy plants for the lobby", description: "The landlord has some already.", state_key: "obsolete" },
  });
  await api(routes.task.remove, { params: { ...params, entityId: plants.id } });
  await api(routes.identity.createKey, { body: { name: "Backup script", scopes: ["read"], expires_in_days: 90 } });
  await api(routes.identity.createKey, {
    body: { name: "Laptop", scopes: ["read", "run", "admin"], expires_in_days: null },
  });
  const outcomes = await fillSampleOutcomes(server, ada);
  return { ada, bo, cleo, project, emptyProject, things, taskInBin, ...outcomes, ...(await fillSampleRuns(server)) };
}

async function fillProject(api: Api, projectId: string): Promise<SampleWorld["things"]> {
  const params = { projectId };
  const { task, lease } = await fillTasks(api, projectId);
  const goal = await api(routes.goal.create, {
    params,
    body: {
      title: "Nobody loses a day of work",
      description: "The move happens on weekends, and everyone finds a working desk on Monday morning.",
      state_key: "active",
      due_at: inDays(60),
      content: "Measured by asking everyone on the Monday after: did you have a desk, a network and your boxes?",
    },
  });
  await api(routes.goal.create, {
    params,
    body: {
      title: "The move costs less than 12,000 €",
      description: "Movers, insurance and cleaning of the old rooms together.",
      state_key: "achieved",
    },
  });
  const plan = await api(routes.plan.create, {
    params,
    body: { title: "Three weekends", description: "One floor at a time.", content: planText, state_key: "active" },
  });
  await api(routes.plan.create, {
    params,
    body: { title: "If the lift fails", description: "Who carries what, and in which order.", state_key: "draft" },
  });
  const milestone = await api(routes.milestone.create, {
    params,
    body: {
      title: "Keys handed over",
      description: "Three sets of keys, a signed protocol, and the meter readings written down.",
      due_at: inDays(21),
      state_key: "in_progress",
    },
  });
  await api(routes.milestone.create, {
    params,
    body: { title: "Old office empty", description: "Swept, painted and photographed.", due_at: inDays(68) },
  });
  const document = await fillDocuments(api, projectId);
  const link = (src_id: string, rel: string, dst_id: string) =>
    api(routes.edges.create, { params, body: { src_id, rel, dst_id } });
  await link(task.id, "supports", goal.id);
  await link(task.id, "part_of", plan.id);
  await link(document.id, "relates_to", task.id);
  await link(plan.id, "depends_on", milestone.id);
  await link(lease.id, "supports", goal.id);
  await link(lease.id, "part_of", milestone.id);
  await link(task.id, "depends_on", milestone.id);
  return { task, goal, plan, milestone, document };
}

async function fillTasks(api: Api, projectId: string): Promise<{ readonly task: Entity; readonly lease: Entity }> {
  const params = { projectId };
  const make = (
    title: string,
    more: { priority?: number; due_at?: string; state_key?: string; description?: string },
  ) => api(routes.task.create, { params, body: { title, ...more } });
  const lease = await make("Cancel the lease of the old office", {
    priority: 2,
    due_at: inDays(-3),
    state_key: "done",
  });
  await make("Find out whether the lift carries the plotter", { state_key: "blocked" });
  await make(
    "Ask the internet provider, the insurance, the tax office and everyone else who sends letters to change our address",
    { priority: 3, due_at: inDays(30) },
  );
  await make("Label every box", { priority: 4, state_key: "paused" });
  const task = await make("Choose a moving company", {
    priority: 1,
    due_at: inDays(5),
    description: "Three offers at least; they must be insured for the server rack.",
  });
  const update = (version: number, state_key: string, content: string) =>
    api(routes.task.update, { params: { projectId, entityId: task.id }, body: { version, state_key, content } });
  await update(1, "in_progress", "Asked two so far.");
  return { task: await update(2, "in_progress", taskText), lease };
}

async function fillDocuments(api: Api, projectId: string): Promise<Entity> {
  const make = (title: string, state_key: string, parent_id: string | null, content = "") =>
    api(routes.document.create, { params: { projectId }, body: { title, state_key, parent_id, content } });
  const handbook = await make("Moving handbook", "published", null, "Everything in one place.");
  const rooms = await make("Rooms", "draft", handbook.id, "Who sits where.");
  await make("Ground floor", "draft", rooms.id);
  await make("First floor", "draft", rooms.id);
  await make("Minutes of the kick-off", "archived", null);
  return make("What the movers need to know", "review", handbook.id, documentText);
}

const taskText = `## Offers

| Company | Price | Insured |
|---|---:|---|
| Hauler & Sons | 4,200 € | yes |
| Swift Boxes | 3,650 € | up to 10,000 € |

- [x] ask for references
- [ ] visit both offices with them
`;

const planText = `1. **First weekend:** archive and stores
2. **Second weekend:** ground floor
3. **Third weekend:** everyone else, and the party
`;

const documentText = `# Before the first box

The lift carries **630 kg**. The loading bay is on the *east side*; the gate closes at 18:00.

> The plotter weighs 210 kg and must stand upright.

\`\`\`sh
# opens the gate from inside
gate open --for 10m
\`\`\`

See [the floor plan](https://example.com/floor-plan) and ![the loading bay](https://example.com/bay.jpg).
`;
