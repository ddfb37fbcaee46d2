// The people of the route matrix, every way they may come in, and fresh ids for each of their requests.

import type { Scope } from "../../src/domain/identity/identity.ts";
import { realEnv } from "../../src/main/env.ts";
import { insertChannel, removeChannels } from "../helpers/channel-rows.ts";
import { insertChat } from "../helpers/chat-rows.ts";
import { insertOutcome, type OutcomeRow } from "../helpers/outcome-rows.ts";
import { insertNotification, insertOutput, insertRun, insertStagedWrite, type RowStatus } from "../helpers/run-rows.ts";
import { anonymous, type Caller, type Person, type TestApp } from "../helpers/test-app.ts";
import { makeWorld, type World } from "../helpers/test-world.ts";
import type { Fixture } from "./route-table.ts";

export type Identity = {
  readonly name: string;
  /** Null for whoever is not signed in, whatever they send. */
  readonly person: Person | null;
  readonly role: "viewer" | "editor" | "owner" | null;
  readonly isAdmin: boolean;
  readonly scopes: readonly Scope[];
  readonly isKey: boolean;
  /** A fresh session each time, since some requests end it. */
  readonly caller: () => Promise<Caller>;
};

export type Cast = {
  readonly identities: readonly Identity[];
  readonly owner: Person;
  readonly foreign: World;
  /** Ids for the requests of this person to this address, or to `everyRoute`; a new world, or the given one. */
  readonly fixtureFor: (name: string, person: Person | null, world?: World) => Promise<Fixture>;
  readonly newWorld: () => Promise<World>;
};

/** In place of an address: the ids of every route. */
export const everyRoute = "every route";

const all: readonly Scope[] = ["read", "run", "admin"];

/** Of an app nobody has signed up to yet. */
export async function gather(app: TestApp): Promise<Cast> {
  const admin = await app.signUp("admin"); // The first one manages the installation.
  const owner = await app.signUp("owner");
  const editor = await app.signUp("editor");
  const viewer = await app.signUp("viewer");
  const stranger = await app.signUp("stranger");
  const shut = await app.signUp("shut");
  const known = await app.signUp("known");
  const members = { [owner.id]: "owner", [editor.id]: "editor", [viewer.id]: "viewer", [shut.id]: "owner" } as const;
  const closed = await app.call("PATCH", `/api/users/${shut.id}`, admin.session, { body: { disabled: true } });
  if (closed.status !== 200) throw new Error(`could not shut an account: ${closed.text}`);

  const bySession = (name: string, person: Person, role: Identity["role"] = null): Identity => {
    const caller = () => app.newSession(person.id);
    return { name, person, role, isAdmin: person === admin, scopes: all, isKey: false, caller };
  };
  const byKey = async (name: string, person: Person, role: Identity["role"], scopes: readonly Scope[]) => {
    const key = await app.newKey(person.id, scopes.slice(-1));
    return { name, person, role, isAdmin: person === admin, scopes, isKey: true, caller: async () => key };
  };
  const nobody = (name: string, caller: () => Promise<Caller>): Identity => {
    return { name, person: null, role: null, isAdmin: false, scopes: [], isKey: false, caller };
  };

  const revoked = await revokedKey(app, owner);
  const identities = [
    nobody("anonymous", async () => anonymous),
    nobody("a revoked key", async () => revoked),
    nobody("a session of a shut account", () => app.newSession(shut.id)),
    nobody("a session with a forged cookie", async () => forged(await app.newSession(owner.id))),
    bySession("owner", owner, "owner"),
    bySession("editor", editor, "editor"),
    bySession("viewer", viewer, "viewer"),
    bySession("stranger", stranger),
    bySession("admin who is no member", admin),
    await byKey("owner's key, read", owner, "owner", ["read"]),
    await byKey("owner's key, run", owner, "owner", ["read", "run"]),
    await byKey("owner's key, admin", owner, "owner", all),
    await byKey("viewer's key, admin", viewer, "viewer", all),
    await byKey("admin's key, run", admin, null, ["read", "run"]),
  ];
  const foreign = await makeWorld(app.admin, { [known.id]: "owner" });
  const newWorld = () => makeWorld(app.admin, members);
  const fixtureFor = await fixtures(app, newWorld, { foreign, owner, viewer, stranger, known });
  return { identities, owner, foreign, newWorld, fixtureFor };
}

type Known = { readonly foreign: World } & Readonly<Record<"owner" | "viewer" | "stranger" | "known", Person>>;

/** Of the ids of a request: some are dear to make, so only those that the address has are made anew. */
type Ids = Omit<Fixture, "own" | "foreign" | "memberId" | "userId" | "email" | "password">;

async function fixtures(app: TestApp, newWorld: Cast["newWorld"], known: Known): Promise<Cast["fixtureFor"]> {
  const { foreign, owner, viewer, stranger } = known;
  // All of them, as the name says.
  const others = (await makeIds(app, everyRoute, known.known, "orchard")) as MadeIds;
  const home = await newWorld();
  return async (name, person, world) => {
    const caller = person ?? owner;
    if (/channels\/(webhooks|telegram)/.test(name)) await removeChannels(app.admin, caller.id);
    const own: MadeIds = { ...others, ...(await makeIds(app, name, caller, "garden")) };
    const ids = Object.keys(others).map((key) => {
      const id = key as keyof MadeIds;
      return [id, { own: own[id], foreign: others[id] }] as const;
    });
    const isInProject = name === everyRoute || name.includes("{projectId}");
    return {
      ...(Object.fromEntries(ids) as Ids),
      own: world ?? (isInProject ? await newWorld() : home),
      foreign,
      memberId: { own: viewer.id, foreign: stranger.id },
      userId: { own: known.known.id, foreign: realEnv.newId() },
      email: { ofStranger: stranger.email, unused: `${realEnv.newId()}@example.test`, known: known.known.email },
      password: { ofCaller: caller.password, ofKnown: known.known.password },
    };
  };
}

type MadeIds = { readonly [Id in keyof Ids]: Ids[Id]["own"] };

/** What the parameters in this address stand for. */
async function makeIds(app: TestApp, name: string, { id }: Person, project: string): Promise<Partial<MadeIds>> {
  const { admin } = app;
  const has = (...parts: readonly string[]) => name === everyRoute || parts.some((part) => name.includes(part));
  const runId = has("{runId}") || has("{anyRunId}") ? await insertRun(admin, id, statusFor(name)) : undefined;
  return {
    ...(runId && { runId }),
    ...(runId && has("/changes") && { changeId: await insertStagedWrite(admin, runId) }),
    ...(runId && has("{entityId}") && { outputId: await insertOutput(admin, id, runId) }),
    ...(has("{notificationId}") && { notificationId: await insertNotification(admin, id) }),
    ...(has("{sessionId}") && { sessionId: (await (await app.auth.context).internalAdapter.createSession(id)).id }),
    ...(has("{keyId}") && { keyId: (await app.auth.createKey(id, spareKey)).id }),
    ...(has("{channelId}") && { channelId: await insertChannel(admin, id) }),
    ...(has("{chatId}") && { chatId: await insertChat(admin, id) }),
    ...(has("{outcomeId}", "{escId}", "{memoryId}") && { outcome: await insertOutcome(admin, id, outcomeFor(name)) }),
    ...(has("{agentProject}") && { agent: app.desks.makeTask(id, project) }),
  };
}

const spareKey = { name: "spare", scopes: ["read"], expiresInDays: null } as const;

/** In which state a run can be asked this. */
function statusFor(name: string): RowStatus {
  if (name.endsWith("/respond") || name === everyRoute) return "waiting_on_user";
  if (name.endsWith("/continue")) return "canceled";
  return /\/(resume|undo)$/.test(name) ? "stopped" : "queued";
}

/** In which state an outcome and its question can be asked this. */
function outcomeFor(name: string): OutcomeRow {
  if (/\/(confirm|reject)$/.test(name)) return { escalation: "pending_confirmation" };
  if (name.endsWith("/start")) return { status: "dormant" };
  return name.endsWith("{outcomeId}/resume") ? { status: "paused" } : {};
}

async function revokedKey(app: TestApp, owner: Person): Promise<Caller> {
  const key = await app.newKey(owner.id, ["admin"]);
  const listed = await app.call("GET", "/api/me/keys", owner.session);
  const gone = await app.call("DELETE", `/api/me/keys/${listed.body.items[0].id}`, owner.session);
  if (gone.status !== 200) throw new Error(`could not revoke a key: ${gone.text}`);
  return key;
}

/** The same session, signed by somebody who does not know the secret. */
function forged({ cookie }: { readonly cookie: string }): Caller {
  const name = cookie.split("=")[0];
  const token = decodeURIComponent(cookie.slice(cookie.indexOf("=") + 1)).split(".")[0];
  return { cookie: `${name}=${encodeURIComponent(`${token}.${Buffer.alloc(32, 7).toString("base64")}`)}` };
}
