// A real application on the test file's own database, without a port, and makers for who calls it.
// Call it at the top of the file: `const app = await testApp();` Everything is closed for you.

import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type pg from "pg";
import { afterAll } from "vitest";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { startListener } from "../../src/db/listener.ts";
import { newestVersion } from "../../src/db/migrate.ts";
import { defaultHomrConfig } from "../../src/domain/homr/homr-config.ts";
import type { Scope } from "../../src/domain/identity/identity.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import type { Instant } from "../../src/lib/env.ts";
import { type LogFields, silentLogger } from "../../src/lib/logger.ts";
import { realEnv } from "../../src/main/env.ts";
import type { ChannelsPort } from "../../src/notify/channels-port.ts";
import { openJobQueue, type PgBossQueue } from "../../src/queue/pg-boss-queue.ts";
import { type App, type AppSettings, createApp } from "../../src/server/app.ts";
import { type Auth, createAuth } from "../../src/server/auth.ts";
import type { AgentsPort } from "../../src/server/ports/agents.ts";
import type { ChatEngine } from "../../src/server/ports/chat.ts";
import type { ModelSettingsPort } from "../../src/server/ports/model-settings.ts";
import type { ModelsPort } from "../../src/server/ports/models.ts";
import { makeAgents, type TestAgents } from "./agent-desks.ts";
import { engineProblems, noAgents } from "./no-agents.ts";
import { patientDatabase } from "./patience.ts";
import { removeFolders } from "./runner-root.ts";
import { type TestDb, testDb } from "./test-db.ts";

export const origin = "http://127.0.0.1:4180";
const secret = "a secret of the tests, long enough to sign cookies with";

/** How a request says who makes it: a cookie, a key, or nothing. */
export type Caller = Readonly<Record<string, string>>;
export const anonymous: Caller = {};

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** Headers of the session that signing up began. */
  readonly session: Caller;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, undefined where it is none. Loose, as tests look into many shapes. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it is what it checks
  readonly body: any;
};

export type CallOptions = {
  readonly body?: unknown;
  /** Sent as it is, instead of `body` as JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  /** Added to the usual ones; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
};

export type TestApp = {
  readonly db: Database;
  readonly auth: Auth;
  readonly app: App;
  /** A root of `run-agent` for each user. */
  readonly desks: TestAgents;
  /** What workers of a test take their jobs from. */
  readonly queue: PgBossQueue;
  readonly testDb: TestDb;
  readonly admin: pg.Pool;
  /** What was logged as an error: a request that failed on our side. */
  readonly failures: readonly LogFields[];
  readonly fetch: (method: string, url: string, caller: Caller, options?: CallOptions) => Promise<Response>;
  readonly call: (method: string, url: string, caller: Caller, options?: CallOptions) => Promise<Answer>;
  /** Makes an account through the API. */
  readonly signUp: (name: string) => Promise<Person>;
  /** One more session of this person, without the cost of a password. */
  readonly newSession: (userId: string) => Promise<Caller & { readonly cookie: string }>;
  readonly newKey: (userId: string, scopes: readonly Scope[]) => Promise<Caller & { readonly authorization: string }>;
};

export type TestAppOptions = Partial<AppSettings> & {
  readonly poolSize?: number;
  readonly listen?: boolean;
  readonly maxConcurrentRuns?: number;
  /** The clock of the application: the real one, unless a test would depend on its pace. */
  readonly now?: () => Instant;
  /** None, unless a test says so. */
  readonly agents?: AgentsPort;
  /** Nothing but the demo model, unless a test says so. */
  readonly modelSettings?: ModelSettingsPort;
  /** Without a bot, unless a test says so. */
  readonly channels?: ChannelsPort;
  /** Who answers in conversations; nobody, unless a test says so. */
  readonly chat?: (of: { readonly db: Database; readonly queue: PgBossQueue }) => ChatEngine;
};

/** As if nothing was found, and as if any model could be asked whose name does not say otherwise. */
export const noModels: ModelsPort = {
  findProblem: async (names) => names.find((name) => name.includes("keyless"))?.concat(" has no key.") ?? null,
  findUnpriced: async (chosen) =>
    Object.values(chosen ?? {}).flatMap((name) => (name?.includes("unpriced") ? [name] : [])),
  show: async () => ({
    isDemo: true,
    about: "Nothing was found.",
    roles: [{ role: "planner", model: "demo/rules", fallbacks: [] }],
    choices: ["demo/rules"],
  }),
};

/** The demo model, and settings that take every change and keep none. */
export const noModelSettings: ModelSettingsPort = {
  read: async () => ({
    isDemo: true,
    models: [{ id: "demo/rules", source: "demo", why: "Built in", price: "free" }],
    roles: [{ role: "planner", models: ["demo/rules"], why: "nothing found", isSet: false, lockedBy: null }],
    keys: [{ provider: "anthropic", source: null, from: null, end: null }],
    file: "/nowhere/config.json",
    problem: null,
  }),
  test: async (model) => ({ model, latencyMs: 800, fault: null, usage: null }),
  setModel: async () => ({ kind: "changed", isInUse: true }),
  setKey: async () => ({ kind: "changed", isInUse: true }),
};

/** Webhooks may be sent to https addresses. */
export const noBot: ChannelsPort = {
  botId: null,
  judgeUrl: (url) => (url.startsWith("https://") ? null : "must begin with https://"),
};

/** Answers stay open for ever. */
export const silentChat: ChatEngine = { answer: async () => {} };

export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const made = await testDb();
  const webDir = builtPages();
  const desks = makeAgents();
  const { poolSize = 4, listen = false, maxConcurrentRuns = 3, chat, agents, now = realEnv.now, ...others } = options;
  const { channels = noBot, modelSettings = noModelSettings, ...settings } = others;
  const db = openDatabase({ url: made.appUrl, poolSize, onConnectionLost: () => {}, ...patientDatabase });
  const auth = createAuth({ db, secret, origin, env: realEnv });
  const failures: LogFields[] = [];
  const logger = { ...silentLogger, error: (fields: LogFields) => void failures.push(fields) };
  const queue = await openJobQueue(db, () => {});
  const app = createApp({
    db,
    auth,
    env: { ...realEnv, now },
    logger,
    settings: { ...usualSettings(webDir), ...settings },
    jobs: queue,
    limits: { maxConcurrentRuns },
    breakers: defaultBreakers,
    chat: chat?.({ db, queue }) ?? silentChat,
    models: noModels,
    modelSettings,
    engines: agents === undefined ? engineProblems : { ...engineProblems, agent: agents.show().problem },
    agents: agents ?? noAgents,
    desks,
    channels,
  });
  const listener = listen ? listenFor(app, db) : null;
  afterAll(async () => {
    app.streams.close();
    await app.chats.close();
    await listener?.close();
    await queue.close();
    await db.close();
    rmSync(webDir, { recursive: true });
    removeFolders();
  });
  return {
    db,
    auth,
    app,
    desks,
    queue,
    testDb: made,
    admin: made.admin,
    failures,
    ...clientOf(app),
    ...peopleOf(app, auth),
  };
}

function usualSettings(webDir: string): AppSettings {
  return {
    mode: "accounts",
    signUp: "open",
    isReachable: false,
    hasFirstQuota: false,
    allowedHosts: ["127.0.0.1", "localhost", "[::1]"],
    origin,
    trustedProxies: [],
    ratePerMinute: 10_000_000,
    signInsPerMinute: 10_000_000,
    timeZone: "UTC",
    homr: defaultHomrConfig,
    version: "0.0.0-test",
    schemaVersion: newestVersion(),
    webDir,
  };
}

/** Pages as a build would leave them, small. */
function builtPages(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "homework-test-pages-"));
  mkdirSync(path.join(folder, "assets"));
  writeFileSync(path.join(folder, "index.html"), '<!doctype html><script nonce="__CSP_NONCE__">1</script>');
  writeFileSync(path.join(folder, "favicon.svg"), "<svg/>");
  writeFileSync(path.join(folder, "assets", "page.js"), "export {};");
  return folder;
}

function listenFor(app: App, db: Database) {
  return startListener({
    config: db.clientConfig,
    channel: "homework_changes",
    onPayload: app.hear,
    onConnected: app.hub.notifyAll,
    env: realEnv,
    logger: silentLogger,
  });
}

function clientOf(app: App): Pick<TestApp, "fetch" | "call"> {
  const fetch: TestApp["fetch"] = async (method, url, caller, options = {}) => {
    const headers = new Headers({ host: "127.0.0.1:4180", ...caller });
    if (method !== "GET") {
      headers.set("origin", origin);
      headers.set("content-type", "application/json");
    }
    for (const [name, value] of Object.entries(options.headers ?? {}))
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    const body = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body));
    const sent = method === "GET" || body === null ? {} : { body, duplex: "half" as const };
    return app.fetch(new Request(`${origin}${url}`, { method, headers, ...sent }));
  };
  return { fetch, call: async (...request) => readAnswer(await fetch(...request)) };
}

async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  if (headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return { status, headers, text: "", body: undefined };
  }
  const text = await response.text();
  const isJson = headers.get("content-type")?.startsWith("application/json");
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

function peopleOf(app: App, auth: Auth): Pick<TestApp, "signUp" | "newSession" | "newKey"> {
  const { call } = clientOf(app);
  return {
    signUp: async (name) => {
      const account = {
        name,
        email: `${name}-${randomBytes(4).toString("hex")}@example.test`,
        password: `${name} password`,
      };
      const answer = await call("POST", "/api/auth/sign-up", anonymous, { body: account });
      if (answer.status !== 201) throw new Error(`${name} could not sign up: ${answer.text}`);
      return { ...account, id: answer.body.user.id, session: { cookie: cookieOf(answer.headers) } };
    },
    newSession: async (userId) => {
      const { internalAdapter, authCookies } = await auth.context;
      const { token } = await internalAdapter.createSession(userId);
      const signature = createHmac("sha256", secret).update(token).digest("base64");
      return { cookie: `${authCookies.sessionToken.name}=${encodeURIComponent(`${token}.${signature}`)}` };
    },
    newKey: async (userId, scopes) => {
      const { key } = await auth.createKey(userId, { name: scopes.join(" "), scopes, expiresInDays: null });
      return { authorization: `Bearer ${key}` };
    },
  };
}

/** What a browser would send back. */
export function cookieOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
}
