// An agent that speaks the Agent Client Protocol, made with the SDK's own side for agents. Its first argument says what it does with a
// prompt; its files are in its working folder.

import { spawn } from "node:child_process";
import { closeSync, existsSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AgentContext,
  agent,
  methods,
  ndJsonStream,
  type PromptResponse,
  RequestError,
} from "@agentclientprotocol/sdk";

const [scene = "ok", detail = ""] = process.argv.slice(2);
const folder = process.cwd();
const at = (name: string) => path.join(folder, name);
const sessionId = "session-1";
let canceled = new AbortController();
let turns = 0;

type Turn = { readonly client: AgentContext; readonly text: string };
type Scene = (turn: Turn) => Promise<PromptResponse>;

const say = (
  client: AgentContext,
  text: string,
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" = "agent_message_chunk",
) =>
  client.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate, content: { type: "text", text } },
  });

const usage = { totalTokens: 110, inputTokens: 100, outputTokens: 10, cachedReadTokens: 40, thoughtTokens: 2 };
const ended = (stopReason: PromptResponse["stopReason"] = "end_turn"): PromptResponse =>
  ({ stopReason, usage }) as PromptResponse;

async function useTool(client: AgentContext, toolCallId: string, work: () => unknown) {
  const notify = (update: object) =>
    client.notify<unknown>(methods.client.session.update, { sessionId, update: { toolCallId, ...update } });
  await notify({
    sessionUpdate: "tool_call",
    title: "Write DONE",
    kind: "edit",
    status: "pending",
    rawInput: { path: at("DONE") },
  });
  await notify({ sessionUpdate: "tool_call_update", status: "in_progress" });
  await work();
  const content = [{ type: "content", content: { type: "text", text: "written" } }];
  await notify({ sessionUpdate: "tool_call_update", status: "completed", content });
}

async function askPermission(client: AgentContext, place: string): Promise<string> {
  const { outcome } = await client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall: { toolCallId: "t", title: `Write ${path.basename(place)}`, kind: "edit", locations: [{ path: place }] },
    options: [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "ever", name: "Always allow", kind: "allow_always" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
  });
  return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
}

const tryTo = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify(await work());
  } catch (error) {
    return error instanceof RequestError ? `refused ${JSON.stringify(error.data)}` : String(error);
  }
};

const scenes: Readonly<Record<string, Scene>> = {
  ok: async ({ client, text }) => {
    writeFileSync(at("prompt-heard"), text);
    await say(client, "A file is wanted.", "agent_thought_chunk");
    await say(client, "Look");
    await say(client, "ing.");
    await useTool(client, "t1", () => writeFileSync(at("DONE"), ""));
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: "usage_update", used: 110, size: 1_000, cost: { amount: 0.25, currency: "USD" } },
    });
    await client.notify<unknown>(methods.client.session.update, { sessionId, update: { sessionUpdate: "brand_new" } });
    await say(client, "All done.");
    return ended();
  },
  permission: async ({ client }) => {
    const answer = await askPermission(client, detail === "" ? at("inside") : detail);
    await say(client, `answer: ${answer}`);
    return ended();
  },
  "permission-for-ever": async ({ client }) => {
    while (!canceled.signal.aborted) await askPermission(client, at("inside"));
    return ended("cancelled");
  },
  stop: async ({ client }) => {
    await say(client, "Hm.");
    return ended(detail as PromptResponse["stopReason"]);
  },
  fail: async () => {
    const { code, message, data } = JSON.parse(detail);
    throw new RequestError(code, message, data);
  },
  say: async ({ client }) => {
    await say(client, detail);
    return ended();
  },
  // A tool in a session of its own, ended by the agent when the turn is canceled.
  tool: async ({ client }) => {
    const tool = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    writeFileSync(at("tool.pid"), String(tool.pid));
    await say(client, "The tool runs.");
    await sleep(600_000, undefined, { signal: canceled.signal }).catch(() => {});
    tool.kill();
    writeFileSync(at("canceled"), "");
    return ended("cancelled");
  },
  stubborn: async ({ client }) => {
    process.on("SIGTERM", () => {});
    await say(client, "I stay.");
    await sleep(600_000);
    return ended();
  },
  // Answers each prompt with its text; the first one only when the file `go` is there.
  turns: async ({ client, text }) => {
    await say(client, turns === 1 ? "waiting" : `heard: ${text}`);
    while (turns === 1 && !existsSync(at("go"))) await sleep(20);
    return ended();
  },
  files: async ({ client }) => {
    symlinkSync("/etc", at("out"));
    const write = (file: string) =>
      tryTo(() =>
        client.request(methods.client.fs.writeTextFile, { sessionId, path: file, content: "one\ntwo\nthree" }),
      );
    const read = (file: string) =>
      tryTo(() => client.request(methods.client.fs.readTextFile, { sessionId, path: file, line: 2, limit: 1 }));
    const lines = [
      await write(at("deep/file")),
      await read(at("deep/file")),
      await read(at("out/hostname")),
      await write("/tmp/acp-escape"),
      await write(at("out/x")),
    ];
    await say(client, lines.join("\n"));
    return ended();
  },
  noise: async ({ client }) => {
    writeSync(1, "Debugger listening on ws://\n\n[1]\n{\n\u0000\u0001\n42\n");
    writeSync(
      1,
      `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "image", data: "x".repeat(10 * 1024 * 1024) } } } })}\n`,
    );
    writeSync(1, `${"y".repeat(20 * 1024 * 1024)}\n`);
    await say(client, "Still here.");
    return ended();
  },
  crash: async ({ client }) => {
    await say(client, "Going well.");
    process.stderr.write("Error: the core is molten\n");
    process.exit(3);
  },
  // Something else may hold the output open: its end is an end all the same.
  "close-output": async ({ client }) => {
    await say(client, "Bye.");
    process.stdout.destroy();
    closeSync(1);
    await sleep(600_000);
    return ended();
  },
};

if (scene === "silent") await sleep(600_000);

const app = agent({ name: "test-agent" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: scene === "version" ? Number(detail) : 1,
    agentInfo: { name: "test-agent", version: "1" },
    agentCapabilities: { loadSession: true },
    authMethods: [{ id: "key", name: "A key" }],
  }))
  .onRequest(methods.agent.session.new, () => {
    if (scene === "login") throw RequestError.authRequired();
    return {
      sessionId,
      modes: {
        currentModeId: "code",
        availableModes: [
          { id: "code", name: "Code" },
          { id: "plan", name: "Plan" },
        ],
      },
      models: {
        currentModelId: "small",
        availableModels: [
          { modelId: "small", name: "S" },
          { modelId: "large", name: "L" },
        ],
      },
    };
  })
  .onRequest(methods.agent.session.load, async ({ client }) => {
    await say(client, "What was said before.");
    return {};
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => writeFileSync(at("mode"), params.modeId))
  .onRequest(
    "session/set_model",
    (params: unknown) => params as { modelId: string },
    ({ params }) => {
      writeFileSync(at("model"), params.modelId);
      return {};
    },
  )
  .onNotification(methods.agent.session.cancel, () => canceled.abort())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    canceled = new AbortController();
    turns += 1;
    const text = params.prompt.map((block) => (block.type === "text" ? block.text : "")).join("");
    return (scenes[scene] ?? (scenes.ok as Scene))({ client, text });
  });
app.connect(
  ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  ),
);
