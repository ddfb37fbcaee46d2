// Hostile input: whether work grows with its input and no faster, for every parser (hostile-parsers.ts) and for search, and what another user
// notices while one user and many strangers do their worst on a real server. `npm run bench -- hostile`.

import { Agent, request } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { routes } from "../src/protocol/api.ts";
import type { Served } from "../test/helpers/served.ts";
import { ratio, report } from "./figures.ts";
import { type Parser, parsers } from "./hostile-parsers.ts";

const ratioMax = 2.5;
/** Below this, noise is larger than the difference. */
const noiseMs = 4;
const tries = 7;
const lateMs = 250;

export async function benchHostile(server: Served): Promise<void> {
  report("hostile: time at 2n : n, the worst text of each parser", Object.fromEntries(parsers.map(growthOf)));
  report("hostile: search at 2n : n", await searchGrowth(server));
  report("hostile: another user meanwhile", await beside(server));
}

function growthOf(parser: Parser): readonly [string, string] {
  const grown = parser.shapes.map((shape) => ({ shape, ...growth(parser, shape) }));
  const worst = grown.reduce((one, other) => (other.ratio > one.ratio ? other : one));
  const longest = Math.max(...grown.map(({ whole }) => whole));
  const verdict = worst.ratio > ratioMax ? " TOO MUCH" : "";
  return [
    `${parser.name}, ${parser.size.toLocaleString("en")} characters`,
    `${worst.ratio} (${JSON.stringify(worst.shape)}), longest ${Math.round(longest)} ms${verdict}`,
  ];
}

/** The best of several, in time of the processor, so that a busy machine changes little. */
function growth({ size, run }: Parser, shape: string): { readonly ratio: number; readonly whole: number } {
  const text = (length: number) => shape.repeat(Math.ceil(length / shape.length));
  const [large, small] = [text(size), text(size / 2)];
  let [whole, half] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let count = 0; count < tries; count += 1) {
    whole = Math.min(
      whole,
      measure(() => run(large)),
    );
    if (whole < noiseMs) return { ratio: 0, whole };
    half = Math.min(
      half,
      measure(() => run(small)),
    );
    if (count > 1 && whole / half <= 2.2) break;
  }
  return { ratio: ratio(whole, half), whole };
}

function measure(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const words = ["repair ", "a ", "repair, and ", "x"];

/** Twelve documents of one word over and over, half as long and whole. */
async function searchGrowth({ api }: Served): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const [index, word] of words.entries()) {
    const [half, whole] = [await searchMs(index, word, 50_000), await searchMs(index, word, 100_000)];
    rows[`twelve documents of ${JSON.stringify(word)}`] = `${ratio(whole, half)}, ${Math.round(whole)} ms`;
  }
  return rows;

  async function searchMs(index: number, word: string, length: number): Promise<number> {
    const project = await api(routes.projects.create, { body: { name: `Hostile ${index} ${length}` } });
    const content = word.repeat(length / word.length);
    for (let count = 0; count < 12; count += 1)
      await api(routes.document.create, {
        params: { projectId: project.id },
        body: { title: `repair ${count}`, content },
      });
    let best = Number.POSITIVE_INFINITY;
    for (let count = 0; count < tries; count += 1) {
      const began = performance.now();
      await api(routes.projects.search, { query: { q: "repair and", project_id: project.id, limit: 50 } });
      best = Math.min(best, performance.now() - began);
    }
    return best;
  }
}

/** Made once: this process measures, too. */
const bomb = Buffer.from(`{"__proto__":[${"[],".repeat(2_966_000)}[]]}`);
const smallBomb = Buffer.from(`{"__proto__":[${"[],".repeat(340_000)}[]]}`);
const pauseMs = 20;

const attacks: Readonly<Record<string, (server: Served) => () => void>> = {
  "nothing, to compare": () => () => {},
  "bodies of 8.9 MB of [],": (server) => repeat(4, () => send(server, "/api/auth/sign-in", bomb, {})),
  "the same by someone signed in": (server) => repeat(4, () => send(server, "/api/projects", smallBomb, keyOf(server))),
  "60 unfinished bodies": (server) => holdSockets(server, 60, `Content-Length: 8000000\r\n\r\n${"x".repeat(60_000)}`),
  "200 unfinished headers": (server) => holdSockets(server, 200, "X-Slow: "),
  "24 searches at once": (server) => repeat(24, () => send(server, "/api/search?q=repair", null, keyOf(server))),
  "wrong passwords": (server) =>
    repeat(8, () => send(server, "/api/auth/sign-in", '{"email":"a@b.example","password":"wrong password"}', {})),
};

/** What a request of another user takes, by the time of a clock. */
async function beside(server: Served): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const [name, begin] of Object.entries(attacks)) {
    const end = begin(server);
    const times: number[] = [];
    for (let count = 0; count < 50; count += 1) {
      const began = performance.now();
      await server.api(routes.projects.list, { query: {} });
      times.push(performance.now() - began);
    }
    end();
    const sorted = times.sort((one, other) => one - other);
    const [p50, p99] = [sorted[25] ?? 0, sorted[49] ?? 0].map(Math.round);
    rows[name] = `p50 ${p50} ms, worst ${p99} ms${(p99 ?? 0) > lateMs ? " TOO LATE" : ""}`;
  }
  return rows;
}

const keyOf = ({ key }: Served) => ({ authorization: `Bearer ${key}` });
const agent = new Agent({ maxSockets: 64 });

/** So many at any time, until it is ended. */
function repeat(atOnce: number, work: () => Promise<void>): () => void {
  let isOver = false;
  const go = async () => {
    while (!isOver) {
      await work();
      await sleep(pauseMs);
    }
  };
  for (let count = 0; count < atOnce; count += 1) void go();
  return () => {
    isOver = true;
  };
}

function send(
  { url }: Served,
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

function holdSockets({ url }: Served, count: number, said: string): () => void {
  const { port, hostname, host } = new URL(url);
  const sockets = Array.from({ length: count }, () => {
    const socket = net.connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(`POST /api/auth/sign-in HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${said}`);
    return socket;
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
