// What hostile clients do, one kind each, and how the server answered: a status, `cut` for a connection that it closed without one, `held` for
// one that was still open when the attacker gave up. Bodies are made once: making them must not take the time that is measured.

import http from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type HostileAccount = { readonly cookie: string; readonly documentPath: string };

export type AttackTally = Record<string, Record<string, number>>;

export type Attacker = {
  readonly url: string;
  readonly localAddress: string;
  readonly account: HostileAccount;
  readonly at: number;
  readonly count: (what: string) => void;
  readonly signal: AbortSignal;
};

type Attack = {
  readonly clients: number;
  readonly pauseMs: number;
  readonly attack: (attacker: Attacker) => Promise<void>;
};

const lists = Buffer.from(`{"title":"x","props":[${"[],".repeat(300_000)}[]]}`);
const deep = Buffer.from(`{"title":${"[".repeat(400_000)}`);
const proto = Buffer.from(`{"name":"x","__proto__":{"a":[${'{"__proto__":1},'.repeat(3_000)}0]}}`);
const texts = Buffer.from(`{"name":"${'\\"'.repeat(450_000)}"}`);
const bombs = [lists, deep, proto, texts];
const large = Buffer.alloc(8_900_000, "[],");

const withAccount = ({ account, url }: Attacker) => ({ cookie: account.cookie, origin: url });

export const attacks: Readonly<Record<string, Attack>> = {
  "slow bodies": {
    clients: 25,
    pauseMs: 500,
    attack: (attacker) => trickle(attacker, head("POST", "/api/auth/sign-in", "Content-Length: 15000\r\n\r\n")),
  },
  "half requests": {
    clients: 30,
    pauseMs: 500,
    attack: (attacker) => trickle(attacker, head("GET", "/api/me", "X-Slow: ")),
  },
  bombs: {
    clients: 20,
    pauseMs: 1_000,
    attack: (attacker) =>
      send(attacker, "POST", "/api/projects", bombs[attacker.at % bombs.length], withAccount(attacker)),
  },
  "wrong passwords": {
    clients: 25,
    pauseMs: 1_000,
    attack: (attacker) => {
      // Half of them guess at accounts of the ordinary users: these must get in all the same.
      const email = attacker.at % 2 === 0 ? `person${attacker.at % 20}@example.test` : `no${attacker.at}@example.test`;
      return send(
        attacker,
        "POST",
        "/api/auth/sign-in",
        Buffer.from(JSON.stringify({ email, password: "a wrong guess" })),
        {},
      );
    },
  },
  "floods of streams": { clients: 30, pauseMs: 500, attack: openStreams },
  "floods of searches": {
    clients: 25,
    pauseMs: 300,
    attack: (attacker) =>
      send(attacker, "GET", "/api/search?q=repair%20and&limit=50", undefined, withAccount(attacker)),
  },
  "oversized bodies": {
    clients: 15,
    pauseMs: 2_000,
    attack: (attacker) => {
      const isChunked = attacker.at % 2 === 0;
      const more: Record<string, string> = isChunked ? { "transfer-encoding": "chunked" } : {};
      return send(attacker, "POST", "/api/auth/sign-in", large, more);
    },
  },
  "slow readers": { clients: 30, pauseMs: 500, attack: readSlowly },
};

const head =
  (method: string, path: string, rest: string) =>
  ({ url }: Attacker) =>
    `${method} ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\n${rest}`;

/** How long an attacker stays with one connection, at most. */
const stayMs = 90_000;

function connect({ url, localAddress }: Attacker): net.Socket {
  const socket = net.connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  return socket;
}

/** One byte every two seconds, until the server has had enough. */
async function trickle(attacker: Attacker, begin: (attacker: Attacker) => string): Promise<void> {
  const socket = connect(attacker);
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text.slice(0, 20 - answer.length);
  });
  socket.write(begin(attacker));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const endsAt = performance.now() + stayMs;
  while (!attacker.signal.aborted && !socket.destroyed && performance.now() < endsAt) {
    socket.write("x");
    await Promise.race([closed, wait(2_000, attacker.signal)]);
  }
  attacker.count(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? (socket.destroyed ? "cut" : "held"));
  socket.destroy();
}

function send(
  attacker: Attacker,
  method: string,
  path: string,
  body: Buffer | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { url, localAddress, count, signal } = attacker;
  return new Promise((resolve) => {
    let isCounted = false;
    const end = (what: string) => {
      if (!isCounted) count(what);
      isCounted = true;
      resolve();
    };
    const length: Record<string, string> =
      body === undefined || "transfer-encoding" in headers ? {} : { "content-length": String(body.length) };
    const request = http.request(`${url}${path}`, {
      method,
      agent: false,
      localAddress,
      signal,
      headers: { "content-type": "application/json", ...length, ...headers },
    });
    request.on("response", (response) => {
      response.resume();
      response.once("close", () => request.destroy());
      end(String(response.statusCode));
    });
    request.on("error", () => end(signal.aborted ? "held" : "cut"));
    request.end(body);
  });
}

/** Five at once, kept for a while; beyond the user's share they are refused. */
async function openStreams(attacker: Attacker): Promise<void> {
  const { url, localAddress, count, signal } = attacker;
  const opened = Array.from({ length: 5 }, () => {
    const request = http.get(`${url}/api/live?topics=feed`, {
      agent: false,
      localAddress,
      headers: withAccount(attacker),
    } as http.RequestOptions);
    request.on("response", (response) => count(String(response.resume().statusCode)));
    request.on("error", () => {});
    return request;
  });
  await wait(5_000 + Math.random() * 5_000, signal);
  for (const request of opened) request.destroy();
}

/** Asks for a large document 20 times in one go on one connection, and takes nothing of it. */
async function readSlowly(attacker: Attacker): Promise<void> {
  const { account, count, signal } = attacker;
  const socket = connect(attacker).pause();
  const asked = `${head("GET", account.documentPath, `Cookie: ${account.cookie}\r\n\r\n`)(attacker)}`;
  socket.write(asked.repeat(20));
  const closed = new Promise<"cut">((resolve) => socket.once("close", () => resolve("cut")));
  count(await Promise.race([closed, wait(stayMs, signal).then(() => "held" as const)]));
  socket.destroy();
}

const wait = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});
