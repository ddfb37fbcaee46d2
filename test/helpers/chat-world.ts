// Conversations over HTTP on a real database, with the model lab as the provider: a script says what the model answers.

import { afterAll } from "vitest";
import type { Connection } from "../../src/cli/ports.ts";
import type { Database, Tx } from "../../src/db/database.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { chatEngine } from "../../src/engine/chat/chat-engine.ts";
import { startHomework } from "../../src/engine/chat/start-homework.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { demoCall } from "../../src/llm/demo/demo-model.ts";
import { type ModelRole, modelRoles } from "../../src/llm/model.ts";
import type { ProviderName } from "../../src/llm/model-id.ts";
import { createModels } from "../../src/llm/models.ts";
import { realEnv } from "../../src/main/env.ts";
import { type Chat, type ChatEvent, type ChatMessage, routes } from "../../src/protocol/api.ts";
import { createApi } from "../../src/protocol/client.ts";
import { createFollow } from "../../src/protocol/follow.ts";
import type { ChatEngine } from "../../src/server/ports/chat.ts";
import { createProject } from "../../src/store/entity/project-store.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { type Lab, startLab } from "../lab/lab.ts";
import { labPrices, providerOf, refOf } from "../lab/lab-models.ts";
import type { LabReply, LabRequest } from "../lab/lab-protocol.ts";
import { engineProblems } from "./no-agents.ts";
import { type Caller, origin, type Person, silentChat, type TestApp, testApp } from "./test-app.ts";

export type ChatScript = (request: LabRequest, at: number) => LabReply | Promise<LabReply>;

export type ChatWorld = TestApp & {
  readonly lab: Lab;
  /** What the model says from now on; `at` counts from 0 again. */
  readonly script: (script: ChatScript) => void;
  readonly talkAs: (person: Person, caller?: Caller) => Talk;
  /** As a command has it. */
  readonly connectAs: (person: Person) => Connection;
  readonly makeProject: (person: Person, name?: string) => Promise<string>;
  /** What answers in another process, on its own view of the database. */
  readonly engineOn: (db: Database) => ChatEngine;
  readonly as: <T>(person: Person, work: (tx: Tx) => Promise<T>) => Promise<T>;
};

export type Talk = {
  readonly begin: () => Promise<Chat>;
  readonly send: (chatId: string, text: string) => Promise<{ answer_seq: number; since_seq: number }>;
  /** Events until the answer has ended or waits for a word. */
  readonly until: (chatId: string, since: number, types?: readonly string[]) => Promise<readonly ChatEvent[]>;
  /** Both of these. */
  readonly ask: (chatId: string, text: string) => Promise<readonly ChatEvent[]>;
  readonly decide: (
    chatId: string,
    seq: number,
    decisions: Readonly<Record<string, "approve" | "reject">>,
  ) => Promise<ChatMessage>;
  /** Oldest first. */
  readonly messages: (chatId: string) => Promise<readonly ChatMessage[]>;
  readonly last: (chatId: string) => Promise<ChatMessage>;
  readonly chat: (chatId: string) => Promise<Chat>;
};

export type ChatWorldOptions = {
  readonly model?: string;
  readonly tools?: readonly Tool[];
  /** Asked for every answer, so that a test can set it in between. */
  readonly asksBeforeComposed?: () => boolean;
  /** The server answers nothing itself; tests call `engineOn`. */
  readonly isSilent?: true;
};

const endings = ["done", "error", "confirm"];

export async function chatWorld(options: ChatWorldOptions = {}): Promise<ChatWorld> {
  const { model = "openrouter/anthropic/claude-sonnet-5.5", tools = builtInTools, isSilent = false } = options;
  let script: ChatScript = () => ({ status: 500, body: "no script" });
  let from = 0;
  const lab = await startLab({ prices: labPrices, script: (request, at) => script(request, at - from) });
  afterAll(() => lab.close());
  const chain = [refOf(model)] as const;
  const models = createModels({
    chains: Object.fromEntries(modelRoles.map((role) => [role, chain])) as Record<ModelRole, typeof chain>,
    providers: new Map([[chain[0].provider, providerOf(lab, chain[0].provider as ProviderName)]]),
    env: realEnv,
    fetch,
    demo: demoCall,
  });
  const engineFor = (db: Database, queue: TestApp["queue"]) =>
    chatEngine({
      db,
      models,
      registry: makeRegistry(tools),
      env: realEnv,
      logger: silentLogger,
      timeZone: "UTC",
      get asksBeforeComposed() {
        return options.asksBeforeComposed?.() ?? false;
      },
      ownTools: (chat) => [startHomework(chat, queue, { maxConcurrentRuns: 3 }, engineProblems)],
    });
  const app = await testApp({
    listen: true,
    chat: ({ db, queue }) => (isSilent ? silentChat : engineFor(db, queue)),
  });
  const as: ChatWorld["as"] = ({ id }, work) => app.db.asUser({ userId: id }, work);
  return {
    ...app,
    lab,
    as,
    engineOn: (db) => engineFor(db, app.queue),
    talkAs: (person, caller = person.session) => talkOf(app, caller),
    connectAs: (person) => ({ ...clientsOf(app, person.session), url: origin, close: async () => {} }),
    script: (next) => {
      script = next;
      from = lab.requests.length;
    },
    makeProject: async (person, name = "Kitchen") => {
      const id = realEnv.newId();
      const fields = { name, description: "", type_key: "project.default", state_key: "active", props: {} };
      await as(person, (tx) => createProject(tx, id, person.id as UserId, fields));
      return id;
    },
  };
}

function clientsOf({ app }: TestApp, caller: Caller): Pick<Connection, "api" | "follow"> {
  const options = {
    baseUrl: origin,
    headers: { ...caller, host: "127.0.0.1:4180", origin },
    fetch: async (url: string, init: RequestInit) => app.fetch(new Request(url, init)),
  };
  return { api: createApi(options), follow: createFollow(options, realEnv) };
}

export function talkOf(app: TestApp, caller: Caller): Talk {
  const { api, follow } = clientsOf(app, caller);
  const messages: Talk["messages"] = async (chatId) => {
    const { messages: page } = await api(routes.chats.get, { params: { chatId }, query: { limit: 200 } });
    return page.items.toReversed();
  };
  const until: Talk["until"] = async (chatId, since, types = endings) => {
    const events: ChatEvent[] = [];
    const over = new AbortController();
    const input = { params: { chatId }, query: {} };
    for await (const { data } of follow(routes.chats.stream, input, { after: since, signal: over.signal })) {
      events.push(data);
      if (types.includes(data.type)) break;
    }
    over.abort();
    return events;
  };
  const send: Talk["send"] = (chatId, text) => api(routes.chats.send, { params: { chatId }, body: { text } });
  return {
    until,
    send,
    messages,
    begin: () => api(routes.chats.create, { body: {} }),
    ask: async (chatId, text) => until(chatId, (await send(chatId, text)).since_seq),
    decide: (chatId, messageSeq, decisions) =>
      api(routes.chats.confirm, {
        params: { chatId, messageSeq },
        body: { decisions: Object.entries(decisions).map(([call_id, decision]) => ({ call_id, decision })) },
      }),
    last: async (chatId) => {
      const last = (await messages(chatId)).at(-1);
      if (!last) throw new Error("no message");
      return last;
    },
    chat: async (chatId) => (await api(routes.chats.get, { params: { chatId }, query: { limit: 1 } })).chat,
  };
}

/** The text of a message, put together from the events as a page would. */
export function textFrom(events: readonly ChatEvent[], seq: number): string {
  return events
    .filter(({ type, data }) => type === "text" && data.message_seq === seq)
    .reduce((text, { data }) => text.slice(0, Number(data.at)) + String(data.text), "");
}
