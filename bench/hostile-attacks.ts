// One attacker, as a process: `node bench/hostile-attacks.ts <attack> <address on 127.0.0.1> <key of a user>`. Says when it has begun, and ends
// when it is told to, or after two minutes.

import { Agent, request } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

type Target = { readonly url: string; readonly key: string };

const longestMs = 120_000;
const bomb = Buffer.from(`{"__proto__":[${"[],".repeat(2_966_000)}[]]}`);
const smallBomb = Buffer.from(`{"__proto__":[${"[],".repeat(340_000)}[]]}`);
const pauseMs = 20;

const attacks: Readonly<Record<string, (server: Target) => void>> = {
  "bodies of 8.9 MB of [],": (server) => repeat(4, () => send(server, "/api/auth/sign-in", bomb, {})),
  "the same by someone signed in": (server) => repeat(4, () => send(server, "/api/projects", smallBomb, keyOf(server))),
  "60 unfinished bodies": (server) => holdSockets(server, 60, `Content-Length: 8000000\r\n\r\n${"x".repeat(60_000)}`),
  "200 unfinished headers": (server) => holdSockets(server, 200, "X-Slow: "),
  "24 searches at once": (server) => repeat(24, () => send(server, "/api/search?q=repair", null, keyOf(server))),
  "wrong passwords": (server) =>
    repeat(8, () => send(server, "/api/auth/sign-in", '{"email":"a@b.example","password":"wrong password"}', {})),
};

export const attackNames: readonly string[] = Object.keys(attacks);

const keyOf = ({ key }: Target) => ({ authorization: `Bearer ${key}` });
const agent = new Agent({ maxSockets: 64 });

/** So many at any time, and no longer than a bench takes. */
function repeat(atOnce: number, work: () => Promise<void>): void {
  const endsAt = performance.now() + longestMs;
  const go = async () => {
    while (performance.now() < endsAt) {
      await work();
      await sleep(pauseMs);
    }
  };
  for (let count = 0; count < atOnce; count += 1) void go();
}

function send(
  { url }: Target,
  path: string,
  body: string | Buffer | null,
  headers: Record<string, string>,
): Promise<void> {
  return new Promise((resolve) => {
    const method = body === null ? "GET" : "POST";
    const sent = request(`${url}${path}`, {
      method,
      agent,
      headers: { "content-type": "application/json", ...headers },
    });
    sent.on("response", (answer) => answer.resume().once("close", resolve));
    sent.on("error", () => setTimeout(resolve, 5)); // turned away before everything was sent
    sent.end(body ?? undefined);
  });
}

function holdSockets({ url }: Target, count: number, said: string): void {
  const { port, hostname, host } = new URL(url);
  for (let held = 0; held < count; held += 1) {
    const socket = net.connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(`POST /api/auth/sign-in HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${said}`);
  }
}

if (import.meta.main) {
  const [name = "", url = "", key = ""] = process.argv.slice(2);
  if (new URL(url).hostname !== "127.0.0.1") throw new Error("attacks go to 127.0.0.1 only");
  attacks[name]?.({ url, key });
  setTimeout(() => process.exit(), longestMs);
  process.stdout.write("begun\n");
}
