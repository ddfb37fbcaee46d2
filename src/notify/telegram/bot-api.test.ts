import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { openBotApi } from "./bot-api.ts";

const token = "4242:a-secret-of-the-operator-0123456789";
let answer: { readonly status: number; readonly body: string } | "never" = { status: 200, body: "{}" };
const server = createServer((_, response) => {
  if (answer === "never") return;
  response.writeHead(answer.status).end(answer.body);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function ask(baseUrl = url, timeoutMs = 5_000, signal = new AbortController().signal) {
  const { call } = openBotApi({ token, baseUrl, fetch });
  return call({ method: "getMe", body: {} }, z.object({ id: z.number() }), { timeoutMs, signal });
}

test("an answer is read as what was asked for", async () => {
  answer = { status: 200, body: '{"ok": true, "result": {"id": 7, "more": 1}}' };
  expect(await ask()).toEqual({ kind: "ok", result: { id: 7 } });
});

test("a refusal says how long to wait", async () => {
  answer = {
    status: 429,
    body: '{"ok": false, "description": "Too Many Requests: retry after 5", "parameters": {"retry_after": 5}}',
  };
  expect(await ask()).toEqual({
    kind: "failed",
    status: 429,
    why: "Telegram answered: Too Many Requests: retry after 5",
    afterMs: 5_000,
  });
});

test.for([
  [{ status: 502, body: "<html>Bad gateway</html>" }, "Telegram answered with HTTP status 502"],
  [{ status: 200, body: '{"ok": true, "result": 5}' }, "Telegram answered in a form that is not known"],
] as const)("%o is no answer", async ([given, why]) => {
  answer = given;
  expect(await ask()).toMatchObject({ kind: "failed", status: given.status, why });
});

test("a server that cannot be reached is said without the token", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const failed = await ask(`http://127.0.0.1:${port}`);
  expect(failed).toMatchObject({ kind: "failed", status: null, why: "Telegram could not be reached (ECONNREFUSED)" });
  expect(JSON.stringify(failed)).not.toContain("secret");
});

test("a server that says nothing is given up in time, and at once where the caller stops", async () => {
  answer = "never";
  expect(await ask(url, 50)).toMatchObject({ kind: "failed", why: "Telegram did not answer in time" });
  const stop = new AbortController();
  const waiting = ask(url, 60_000, stop.signal);
  stop.abort(new Error("stopping"));
  await expect(waiting).rejects.toThrow("stopping");
});
