// The people of the route matrix, every way they may come in, and fresh ids for each of their requests.

import type { Scope } from "../../src/domain/identity/identity.ts";
import { realEnv } from "../../src/main/env.ts";
import { insertChat } from "../helpers/chat-rows.ts";
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
  /** Ids for the requests of this person to this address; a new world, or the given one. */
  readonly fixtureFor: (name: string, person: Person | null, world?: World) => Promise<Fixture>;
  readonly newWorld: () => Promise<World>;
};

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
  const fixtureFor = fixtures(app, newWorld, { foreign, owner, viewer, stranger, known });
  return { identities, owner, foreign, newWorld, fixtureFor };
}

type Known = { readonly foreign: World } & Readonly<Record<"owner" | "viewer" | "stranger" | "known", Person>>;

function fixtures(app: TestApp, newWorld: Cast["newWorld"], known: Known): Cast["fixtureFor"] {
  const { foreign, owner, viewer, stranger } = known;
  const newIds = async ({ id }: Person) => {
    const { internalAdapter } = await app.auth.context;
    const session = await internalAdapter.createSession(id);
    const key = await app.auth.createKey(id, { name: "spare", scopes: ["read"], expiresInDays: null });
    return { sessionId: session.id, keyId: key.id };
  };
  const newRunIds = async ({ id }: Person, status: RowStatus) => {
    const runId = await insertRun(app.admin, id, status);
    return {
      runId,
      changeId: await insertStagedWrite(app.admin, runId),
      outputId: await insertOutput(app.admin, id, runId),
      notificationId: await insertNotification(app.admin, id),
    };
  };
  const others = newIds(known.known);
  const otherRun = newRunIds(known.known, "waiting_on_user");
  const otherChat = insertChat(app.admin, known.known.id);
  return async (name, person, world) => {
    const caller = person ?? owner;
    const spare = /sessionId|keyId/.test(name) ? await newIds(caller) : { sessionId: "", keyId: "" };
    const isAboutRuns = /runId|notificationId/.test(name);
    const run = isAboutRuns
      ? await newRunIds(caller, statusFor(name))
      : { runId: "", changeId: "", outputId: "", notificationId: "" };
    const other = { ...(await others), ...(await otherRun) };
    return {
      own: world ?? (await newWorld()),
      foreign,
      sessionId: { own: spare.sessionId, foreign: other.sessionId },
      keyId: { own: spare.keyId, foreign: other.keyId },
      runId: { own: run.runId, foreign: other.runId },
      changeId: { own: run.changeId, foreign: other.changeId },
      outputId: { own: run.outputId, foreign: other.outputId },
      notificationId: { own: run.notificationId, foreign: other.notificationId },
      chatId: {
        own: /chatId|^(sessionId|runId)/.test(name) ? await insertChat(app.admin, caller.id) : "",
        foreign: await otherChat,
      },
      agent: {
        own: app.desks.makeTask(caller.id, "garden"),
        foreign: app.desks.makeTask(known.known.id, "orchard"),
      },
      memberId: { own: viewer.id, foreign: stranger.id },
      userId: { own: known.known.id, foreign: realEnv.newId() },
      email: { ofStranger: stranger.email, unused: `${realEnv.newId()}@example.test`, known: known.known.email },
      password: { ofCaller: caller.password, ofKnown: known.known.password },
    };
  };
}

/** In which state a run can be asked this. */
function statusFor(name: string): RowStatus {
  if (name.endsWith("/respond")) return "waiting_on_user";
  return /\/(resume|undo)$/.test(name) ? "stopped" : "queued";
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
