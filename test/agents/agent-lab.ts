// The model lab for coding agents: it plays the scene that the prompt names, with the shell tool of the agent that asks. Beside it a
// proxy that lets nothing through and remembers who was asked for: agents under test talk to this machine alone.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Lab, startLab } from "../lab/lab.ts";
import type { LabReply, LabRequest, LabToolCall } from "../lab/lab-protocol.ts";
import { lastWords, type Play, readPlay, type Scene, writeCommand } from "./agent-scene.ts";

export type AgentLab = Lab & {
  /** What the proxy was asked for: anything here is a host outside. */
  readonly outside: readonly string[];
  readonly proxyUrl: string;
};

export async function startAgentLab(): Promise<AgentLab> {
  const played = new Map<string, string[]>();
  const lab = await startLab({ script: (request) => play(request, played), models: ["lab-model"] });
  const outside: string[] = [];
  const proxy = createServer((request, response) => {
    outside.push(request.url ?? "");
    response.writeHead(403).end();
  });
  proxy.on("connect", (request, socket) => {
    outside.push(request.url ?? "");
    socket.on("error", () => {});
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    ...lab,
    outside,
    proxyUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      await lab.close();
      const closed = once(proxy, "close");
      proxy.close();
      proxy.closeAllConnections();
      await closed;
    },
  };
}

/** Tools that run a command, and how each of them is asked. */
const shells: Readonly<Record<string, (command: string) => object>> = {
  Bash: (command) => ({ command, description: "Work" }),
  exec_command: (cmd) => ({ cmd }),
  run_shell_command: (command) => ({ command, description: "Work" }),
  bash: (command) => ({ command, description: "Work" }),
};

/** By folder of the task: its runs, in the order in which they came. */
type Played = Map<string, string[]>;

function play(request: LabRequest, played: Played): LabReply | Promise<LabReply> {
  const at = request.turns.findLastIndex(({ role, text }) => role === "user" && readPlay(text) !== null);
  const asked = readPlay(request.turns[at]?.text ?? "");
  if (asked === null) return { text: "Plants" };
  const scene = pickScene(asked, played);
  const fault = playFault(scene);
  if (fault !== null) return fault;
  const call = findCall(request, writeCommand(scene, asked.folder));
  const hasWorked = request.turns.slice(at + 1).some(({ results }) => results.length > 0);
  // Without tools it is asked for a title.
  if (scene === "talk" || hasWorked || call === null) return { text: call === null ? "Plants" : lastWords };
  // Claude may be asked to think, and what it says then begins with a thought.
  const reasoning = request.protocol === "anthropic" ? [{ text: "Plants need water." }] : [];
  return { reasoning, text: "I water the plants.", toolCalls: [call] };
}

function pickScene({ scenes, folder, run }: Play, played: Played): Scene {
  const runs = played.get(folder) ?? [];
  played.set(folder, runs);
  if (!runs.includes(run)) runs.push(run);
  return scenes[runs.indexOf(run)] ?? scenes.at(-1) ?? "done";
}

function playFault(scene: Scene): LabReply | Promise<LabReply> | null {
  if (scene === "401") return { status: 401 };
  // What tries again by itself does so soon.
  if (scene === "429") return { status: 429, headers: { "retry-after": "1" } };
  return scene === "hang" ? new Promise(() => {}) : null;
}

function findCall({ tools }: LabRequest, command: string): LabToolCall | null {
  const name = tools.find((each) => Object.hasOwn(shells, each));
  return name === undefined ? null : { name, args: shells[name]?.(command) ?? {} };
}
