import { once } from "node:events";
import type { Server } from "node:http";
import net from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { patienceMs } from "../../test/helpers/patience.ts";
import type { Installation } from "./installation.ts";
import { type OpenPort, openPort } from "./open-port.ts";

const times = { headersTimeout: 150, requestTimeout: 300, keepAliveTimeout: 100, connectionsCheckingInterval: 30 };

let opened: OpenPort | null = null;
const sockets: net.Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  const closed = opened && once(opened.server, "close");
  opened?.server.close();
  opened?.server.closeAllConnections();
  await closed;
});

/** Answers with the length of the body that came. */
async function listen(settings = {}, waits: object = {}): Promise<OpenPort> {
  const limits = { max_connections: 100, max_connections_per_address: 100, ...settings };
  opened = await openPort({ host: "127.0.0.1", port: 0, public_url: null, ...limits }, waits);
  const fetch = async (request: Request) => new Response(String((await request.arrayBuffer()).byteLength));
  opened.route({ app: { fetch } } as unknown as Installation);
  return opened;
}

function connect(sent: string): net.Socket {
  const socket = net.connect(opened?.port ?? 0, "127.0.0.1");
  socket.on("error", () => {}); // a server that closes may do so before it has read everything
  sockets.push(socket);
  socket.write(sent);
  return socket;
}

const openConnections = () =>
  new Promise<number>((resolve) => opened?.server.getConnections((_, count) => resolve(count)));
/** Waits until the server has so many. */
const waitForConnections = (count: number) =>
  vi.waitFor(async () => expect(await openConnections()).toBe(count), { timeout: patienceMs });

const health = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const other = "GET /api/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

describe("nobody keeps a connection by saying little", () => {
  test("not with half of the headers", async () => {
    await listen({}, times);
    expect(await text(connect("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "))).toMatch(/^HTTP\/1.1 408 /);
  });

  test("not with half of a body", async () => {
    await listen({}, times);
    const half = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nonly this";
    expect(await text(connect(half))).toMatch(/^HTTP\/1.1 408 /);
  });

  test("not with nothing at all, before or after a request", async () => {
    await listen({}, times);
    expect(await text(connect(""))).toMatch(/^(?:HTTP\/1.1 408 [\s\S]*)?$/);
    expect(await text(connect("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"))).toMatch(/^HTTP\/1.1 200 /);
  });

  test("and headers without end are refused", async () => {
    await listen();
    const long = `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await text(connect(long))).toMatch(/^HTTP\/1.1 431 /);
  });
});

describe("connections are bounded", () => {
  test("of one address: one more is told so, and when one goes there is room", async () => {
    await listen({ max_connections_per_address: 3 });
    const held = [connect(""), connect(""), connect("")];
    await waitForConnections(3);
    const answer = await text(connect(other));
    expect(answer).toMatch(/^HTTP\/1.1 429 .*\r\nRetry-After: 2\r\n/);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: { code: "rate_limited" } });
    held[0]?.destroy();
    await waitForConnections(2);
    expect(await text(connect(other))).toMatch(/^HTTP\/1.1 200 /);
  });

  test("in all: a full server still answers health checks and lets people sign in", async () => {
    await listen({ max_connections: 10 });
    for (let count = 0; count < 10; count += 1) connect("");
    await waitForConnections(10);
    expect(await text(connect(other))).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 2[\s\S]*"busy"/i);
    expect(await text(connect(health))).toMatch(/^HTTP\/1.1 200 /);
    const signIn = "POST /api/auth/sign-in HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
    expect(await text(connect(signIn))).toMatch(/^HTTP\/1.1 200 /);
  });

  test("and beyond what is kept for them nobody gets in", async () => {
    await listen({ max_connections: 10 });
    for (let count = 0; count < 60; count += 1) connect("");
    await waitForConnections(60);
    expect(await text(connect(health))).toMatch(/^HTTP\/1.1 503 /);
  });
});

describe("one answer at a time on a connection", () => {
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  /** Answers with this many megabytes and says what it was asked. */
  async function listenTo(megabytes: number): Promise<readonly string[]> {
    const asked: string[] = [];
    await listen();
    const fetch = async (request: Request) => {
      asked.push(new URL(request.url).pathname);
      return new Response("x".repeat(megabytes * 1_000_000));
    };
    opened?.route({ app: { fetch } } as unknown as Installation);
    return asked;
  }

  test("what a client takes is answered in order", async () => {
    const asked = await listenTo(0);
    const last = "GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const answers = await text(connect(ask("/1") + ask("/2") + last));
    expect([asked, answers.match(/HTTP\/1.1 200/g)?.length]).toEqual([["/1", "/2", "/3"], 3]);
  });

  test("a client that takes nothing has one answer made, and others are answered meanwhile", async () => {
    const asked = await listenTo(20);
    connect(ask("/1") + ask("/2") + ask("/3")).pause();
    await vi.waitFor(() => expect(asked).toContain("/1"), { timeout: patienceMs });
    connect(ask("/other")).pause();
    await vi.waitFor(() => expect(asked).toContain("/other"), { timeout: patienceMs });
    expect(asked).toEqual(["/1", "/other"]);
  });

  test("one that asks on and on without taking is closed", async () => {
    await listenTo(20);
    const closed = once(opened?.server as Server, "connection").then(([socket]) => once(socket as net.Socket, "close"));
    connect(ask("/1") + ask("/again").repeat(20)).pause();
    await closed;
  });
});

describe("a body that is refused is not read", () => {
  const length = 9_000_000;
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;

  /** Refuses everything; says how many bytes of the first connection were read when that had closed. */
  async function refuseAll(): Promise<{ readonly bytesRead: Promise<number> }> {
    await listen();
    const fetch = async () => new Response("too large", { status: 413 });
    opened?.route({ app: { fetch } } as unknown as Installation);
    const bytesRead = once(opened?.server as Server, "connection").then(async ([socket]) => {
      await once(socket as net.Socket, "close");
      return (socket as net.Socket).bytesRead;
    });
    return { bytesRead };
  }

  test("the sender is told so all the same, and cut off", async () => {
    const { bytesRead } = await refuseAll();
    const answer = await text(connect(head + "x".repeat(length)));
    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*connection: close[\s\S]*too large$/i);
    expect(await bytesRead).toBeLessThan(1_000_000);
  });

  test("a program with fetch sees the answer", async () => {
    const { bytesRead } = await refuseAll();
    const answer = await fetch(`http://127.0.0.1:${opened?.port}/`, { method: "POST", body: "x".repeat(length) });
    expect([answer.status, await answer.text()]).toEqual([413, "too large"]);
    expect(await bytesRead).toBeLessThan(1_000_000);
  });

  test("where the body has come, the connection stays", async () => {
    await refuseAll();
    const short = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}";
    const answers = await text(connect(short + short.replace("Host: a", "Host: a\r\nConnection: close")));
    expect(answers.match(/HTTP\/1.1 413/g)).toHaveLength(2);
  });
});
