// Speaks with a server that is our child: a message per line. The child gets the environment it is given and nothing else, a line
// has a longest length, and closing waits until the whole group of processes is gone.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { createMCPClient } from "@ai-sdk/mcp";
import { type JSONRPCMessage, validateJSONRPCMessage } from "@ai-sdk/mcp";

export type Transport = Extract<Parameters<typeof createMCPClient>[0]["transport"], { start: unknown }>;

export type StdioServer = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
};

/** Longer results are useless to a model, and a child that never ends its line must not fill our memory. */
const lineMax = 8_000_000;
/** Time to end by itself before it is killed. */
const graceMs = 2_000;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly server: StdioServer;
  private child: ChildProcess | null = null;
  private gone: Promise<void> = Promise.resolve();
  private unread = "";

  constructor(server: StdioServer) {
    this.server = server;
  }

  start(): Promise<void> {
    const { command, args, env, folder } = this.server;
    // A group of its own, so that what it starts can be ended with it. What it says beside the protocol may hold secrets, and
    // is not kept.
    const child = spawn(command, args, { env, cwd: folder, stdio: ["pipe", "pipe", "ignore"], detached: true });
    this.child = child;
    this.gone = new Promise((resolve) => {
      child.once("close", () => resolve());
      child.once("error", () => resolve());
    });
    void this.gone.then(() => this.onclose?.());
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => this.hear(chunk));
    for (const stream of [child.stdin, child.stdout]) stream.on("error", (error) => this.onerror?.(error));
    return once(child, "spawn").then(() => {});
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error("the server has ended"));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** First it is told by the end of its input, as the protocol wants it, and asked; then it is killed. */
  async close(): Promise<void> {
    this.child?.stdin?.end();
    this.signal("SIGTERM");
    const timer = setTimeout(() => this.signal("SIGKILL"), graceMs);
    await this.gone;
    clearTimeout(timer);
    this.signal("SIGKILL"); // whatever it left behind in its group
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.child?.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // The group has no process left.
    }
  }

  private hear(chunk: string): void {
    this.unread += chunk;
    const lines = this.unread.split("\n");
    this.unread = lines.pop() ?? "";
    for (const line of lines) void this.deliver(line);
    if (this.unread.length <= lineMax) return;
    this.unread = "";
    this.onerror?.(new Error("the server sent a line without end"));
    this.signal("SIGKILL");
  }

  private async deliver(line: string): Promise<void> {
    if (line.trim() === "") return;
    try {
      this.onmessage?.(validateJSONRPCMessage(JSON.parse(line)));
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error("not a message"));
    }
  }
}
