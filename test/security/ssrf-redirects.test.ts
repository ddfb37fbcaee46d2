import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ToolContext, ToolOutcome } from "../../src/tools/tool.ts";
import type { Dial } from "../../src/tools/web/dial.ts";
import { openKilledPages } from "../../src/tools/web/killed-pages.ts";
import { webLimits } from "../../src/tools/web/limits.ts";
import { isPublicAddress } from "../../src/tools/web/public-address.ts";
import { helperMemoryMb, openPageReader } from "../../src/tools/web/readable-page.ts";
import { makeWebFetch } from "../../src/tools/web-fetch.ts";
import { patienceMs } from "../helpers/patience.ts";
import { startCanary, type WebCanary } from "../helpers/web-canary.ts";

const reader = openPageReader(
  { parseMs: patienceMs, memoryMb: helperMemoryMb },
  openKilledPages(null, () => 0),
);
afterAll(() => reader.close());

/** Must never be connected to. */
let canary: WebCanary;
/** The page on the internet that sends people on; it alone may be connected to. */
let front: WebCanary;

beforeAll(async () => {
  canary = await startCanary((_, response) => response.writeHead(200, { "Content-Type": "text/plain" }).end("secret"));
  front = await startCanary((request, response) => {
    const asked = new URL(request.url ?? "/", "http://front.example");
    const target = asked.searchParams.get("to");
    const location = locationOf(asked);
    const refresh: Record<string, string> = asked.pathname === "/refresh" ? { Refresh: `0; url=${target}` } : {};
    if (location !== null) response.writeHead(Number(asked.searchParams.get("status")), { Location: location }).end();
    else response.writeHead(200, { "Content-Type": "text/html", ...refresh }).end(frontPage(target));
  });
});

const frontPage = (target: string | null) =>
  `<html><head><meta http-equiv="refresh" content="0; url=${target}"></head><body>front page</body></html>`;

function locationOf({ pathname, searchParams }: URL): string | null {
  const left = Number(searchParams.get("left"));
  if (pathname === "/count") return left > 0 ? `/count?status=302&left=${left - 1}` : null;
  if (pathname === "/to") return searchParams.get("to");
  const circles: Readonly<Record<string, string>> = { "/loop": "/loop", "/ping": "/pong", "/pong": "/ping" };
  const next = circles[pathname];
  return next === undefined ? null : `${next}?status=302`;
}

afterAll(async () => {
  await canary.close();
  await front.close();
});

function read(path: string, resolve?: Dial["resolve"]): Promise<ToolOutcome> {
  const dial: Dial = {
    resolve: resolve ?? (async () => ["127.0.0.1"]),
    mayReach: (address, port) => isPublicAddress(address) || (address === "127.0.0.1" && port === front.port),
  };
  const tool = makeWebFetch({ dial, reader, ports: [front.port, canary.port], limits: webLimits });
  if (tool.kind !== "outside") throw new Error("reaches outside");
  const call = { idempotencyKey: "k", signal: new AbortController().signal };
  return tool.act({} as ToolContext, { url: front.url(path, "front.example") }, call);
}

const to = (status: number, target: string) => `/to?status=${status}&to=${encodeURIComponent(target)}`;

const targets = [
  "http://127.0.0.1:PORT/",
  "http://localhost:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f.1:PORT/",
  "http://[::1]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://0:PORT/",
  "http://other.example:PORT/",
  "//127.0.0.1:PORT/",
  "\\\\127.0.0.1:PORT/",
  "http://front.example@127.0.0.1:PORT/",
  "https://127.0.0.1:PORT/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:PORT/_",
];

describe.each([300, 301, 302, 303, 305, 306, 307, 308, 399])(
  "a redirect with status %i is not followed to",
  (status) => {
    test.each(targets)("%s", async (target) => {
      const outcome = await read(to(status, target.replaceAll("PORT", String(canary.port))));
      expect(outcome.ok).toBe(false);
      expect(outcome.text).not.toContain("secret");
      expect(canary.connections()).toBe(0);
    });
  },
);

test.each(["/refresh", "/meta"])(
  "a page that sends browsers on by itself is read and not followed: %s",
  async (path) => {
    const outcome = await read(`${path}?to=${encodeURIComponent(canary.url("/"))}`);
    expect(outcome).toMatchObject({ ok: true, text: expect.stringContaining("front page") });
    expect(canary.connections()).toBe(0);
  },
);

test("five redirects are followed, six are not", async () => {
  expect(await read("/count?status=302&left=5")).toMatchObject({ ok: true });
  expect(await read("/count?status=302&left=6")).toMatchObject({
    ok: false,
    text: expect.stringContaining("more than 5"),
  });
});

test.each(["/loop?status=302", "/ping?status=302"])("a circle ends after six requests: %s", async (path) => {
  const before = front.requests.length;
  expect(await read(path)).toMatchObject({ ok: false, code: "failed" });
  expect(front.requests.length - before).toBe(6);
});

test("a name is judged again at every hop, though it was good before", async () => {
  let asked = 0;
  const outcome = await read("/count?status=302&left=1", async () => (asked++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]));
  expect(outcome).toMatchObject({ ok: false, code: "denied", text: expect.stringContaining("not a public one") });
  expect(asked).toBe(2);
});
