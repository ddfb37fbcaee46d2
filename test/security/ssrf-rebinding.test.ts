import http from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ToolContext, ToolOutcome } from "../../src/tools/tool.ts";
import type { Dial } from "../../src/tools/web/dial.ts";
import { webLimits } from "../../src/tools/web/limits.ts";
import { isPublicAddress } from "../../src/tools/web/public-address.ts";
import { makeWebFetch } from "../../src/tools/web-fetch.ts";
import { type DnsServer, startDns } from "../helpers/dns-server.ts";
import { noReader, startCanary, type WebCanary } from "../helpers/web-canary.ts";
import { resolveThrough } from "./resolve-through.ts";

/** Stands for a public address in these tests. Nobody listens there, and nothing leaves the machine. */
const publicStandIn = "127.0.0.2";

let canary: WebCanary;
let dns: DnsServer;

beforeAll(async () => {
  canary = await startCanary((_, response) => response.writeHead(200, { "Content-Type": "text/plain" }).end("secret"));
});
beforeEach(async () => {
  // First the public address, for the judge; then this machine, for whoever connects.
  dns = await startDns((name, asked) => {
    if (name.startsWith("turn")) return asked % 2 === 1 ? [publicStandIn] : ["127.0.0.1"];
    return asked === 1 ? [publicStandIn] : ["127.0.0.1"];
  });
  return () => dns.close();
});
afterAll(() => canary.close());

const isPublic = (address: string): boolean => address === publicStandIn || isPublicAddress(address);

function read(host: string): Promise<ToolOutcome> {
  const dial: Dial = { resolve: resolveThrough(dns.resolver), mayReach: isPublic };
  const tool = makeWebFetch({ dial, reader: noReader, ports: [canary.port], limits: { ...webLimits, connectMs: 150 } });
  if (tool.kind !== "outside") throw new Error("reaches outside");
  const call = { idempotencyKey: "k", signal: new AbortController().signal };
  return tool.act({} as ToolContext, { url: canary.url("/", host) }, call);
}

test("a name that changes its address after it was judged is connected to where it was judged", async () => {
  expect(await read("rebind.test")).toMatchObject({ ok: false, code: "unavailable" });
  expect(dns.questions.filter((question) => question === "rebind.test A")).toHaveLength(1);
  expect(canary.connections()).toBe(0);
});

test("and refused as soon as it says the other address to the judge", async () => {
  await read("rebind.test");
  expect(await read("rebind.test")).toMatchObject({ ok: false, code: "denied" });
  expect(canary.connections()).toBe(0);
});

test("trying thirty times does not help, nor does trying all at once", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `turn-${index % 5}.test`);
  const outcomes = await Promise.all(names.map(read));
  expect(outcomes.every((outcome) => !outcome.ok)).toBe(true);
  expect(canary.connections()).toBe(0);
});

test("a fetcher that judges and then asks again is caught by this name server", async () => {
  const resolve = resolveThrough(dns.resolver);
  expect(await resolve("rebind.test")).toEqual([publicStandIn]);
  const before = canary.connections();
  await new Promise((done) => {
    const request = http.get(canary.url("/", "rebind.test"), {
      agent: false,
      lookup: (host, _options, callback) =>
        void resolve(host).then((addresses) =>
          callback(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          ),
        ),
    });
    request.once("response", (response) => response.resume().once("end", done));
    request.once("error", done);
  });
  expect(canary.connections() - before).toBe(1);
});
