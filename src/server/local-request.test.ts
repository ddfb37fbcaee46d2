import { Hono } from "hono";
import { expect, test } from "vitest";
import { isLocalRequest } from "./local-request.ts";

const app = new Hono().all("*", (c) => c.json(isLocalRequest(c)));

/** As it comes from an address, by a name, with these headers. */
async function check(address: string | null, headers: Readonly<Record<string, string>>, isLocal: boolean) {
  const env = address === null ? undefined : { incoming: { socket: { remoteAddress: address } } };
  const request = new Request("http://127.0.0.1/", { headers: { host: "127.0.0.1:4180", ...headers } });
  expect(await (await app.fetch(request, env)).json()).toBe(isLocal);
}

test.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])("%s is this machine", (address) =>
  check(address, {}, true),
);
test.each(["10.0.0.5", "192.168.1.7", "::ffff:10.0.0.5", "fe80::1", "1.127.0.0.1", "unknown", ""])(
  "%j is another machine",
  (address) => check(address, {}, false),
);
test("a command that answers itself is on this machine", () => check(null, {}, true));
test.each(["x-forwarded-for", "Forwarded", "via", "x-real-ip", "x-forwarded-proto"])(
  "a request with the header %s came through a proxy, whatever it says",
  (name) => check("127.0.0.1", { [name]: "127.0.0.1" }, false),
);
test("a page that was opened by another name was not opened here", async () => {
  await check("127.0.0.1", { host: "homework.example.com" }, false);
  await check("127.0.0.1", { origin: "https://homework.example.com" }, false);
  await check("127.0.0.1", { origin: "null" }, false);
});
test.each(["http://127.0.0.1:4180", "http://localhost:4180", "http://[::1]:4180"])(
  "a page of %s was opened here",
  (origin) => check("127.0.0.1", { origin, host: new URL(origin).host }, true),
);
