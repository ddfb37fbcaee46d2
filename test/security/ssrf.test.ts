import diagnostics from "node:diagnostics_channel";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ToolContext, ToolOutcome } from "../../src/tools/tool.ts";
import type { Dial } from "../../src/tools/web/dial.ts";
import { usualPorts, webLimits } from "../../src/tools/web/limits.ts";
import { isPublicAddress } from "../../src/tools/web/public-address.ts";
import { makeWebFetch } from "../../src/tools/web-fetch.ts";
import { type DnsServer, startDns } from "../helpers/dns-server.ts";
import { noReader, startCanary, type WebCanary } from "../helpers/web-canary.ts";
import { resolveThrough } from "./resolve-through.ts";
import { hostileNames, loopbackHosts, privateHosts, sixHosts, trickyUrls } from "./ssrf-forms.ts";

let canary: WebCanary;
let dns: DnsServer;
/** Attempts of this process to connect to anything. */
let attempts = 0;
const count = () => {
  attempts += 1;
};

beforeAll(async () => {
  canary = await startCanary((_, response) => response.writeHead(200, { "Content-Type": "text/plain" }).end("secret"));
  dns = await startDns((name) => hostileNames[name] ?? (/(^|\.)localhost$/.test(name) ? ["127.0.0.1", "::1"] : null));
  diagnostics.subscribe("net.client.socket", count);
});
afterAll(async () => {
  diagnostics.unsubscribe("net.client.socket", count);
  await canary.close();
  await dns.close();
});
beforeEach(() => {
  attempts = 0;
});

function read(url: string, mayReach: Dial["mayReach"] = isPublicAddress): Promise<ToolOutcome> {
  const dial: Dial = { resolve: resolveThrough(dns.resolver), mayReach };
  const tool = makeWebFetch({
    dial,
    reader: noReader,
    ports: [...usualPorts, canary.port],
    limits: { ...webLimits, connectMs: 500 },
  });
  if (tool.kind !== "outside") throw new Error("reaches outside");
  return tool.act({} as ToolContext, { url }, { idempotencyKey: "k", signal: new AbortController().signal });
}

async function expectRefused(url: string, codes = ["denied", "invalid_arguments"]): Promise<void> {
  const before = canary.connections();
  const outcome = await read(url);
  expect(outcome.ok ? "ok" : outcome.code, outcome.text).toBeOneOf(codes);
  expect(outcome.text).not.toContain("secret");
  expect([attempts, canary.connections() - before]).toEqual([0, 0]);
}

const withPort = (url: string): string => url.replaceAll("PORT", String(canary.port));

describe("nothing is connected to by a host that is this machine", () => {
  test.each(loopbackHosts)("%s", (host) => expectRefused(`http://${host}:${canary.port}/`));
});

describe("nor one of a private, shared or reserved network", () => {
  test.each(privateHosts)("%s", (host) => expectRefused(`http://${host}:${canary.port}/latest/meta-data/`));
});

describe("nor one of IPv6 that is not public or hides another", () => {
  test.each(sixHosts)("%s", (host) => expectRefused(`http://${host}:${canary.port}/`));
});

describe("nor over https", () => {
  test.each(["127.0.0.1", "2130706433", "[::1]", "[::ffff:7f00:1]", "169.254.169.254", "localhost"])("%s", (host) =>
    expectRefused(`https://${host}:${canary.port}/`),
  );
});

describe("nor by an address that can be read in two ways, or another scheme, or another port", () => {
  test.each(trickyUrls)("%j", (url) => expectRefused(withPort(url)));
});

describe("nor by a name that leads there", () => {
  test.each(Object.keys(hostileNames))("%s", (name) => expectRefused(`http://${name}:${canary.port}/`, ["denied"]));
});

test("that makes at least 120 forms, each another one", () => {
  const forms = [...loopbackHosts, ...privateHosts, ...sixHosts, ...trickyUrls, ...Object.keys(hostileNames)];
  expect(new Set(forms).size).toBe(forms.length);
  expect(forms.length).toBeGreaterThanOrEqual(120);
});

describe("a fetcher that judges nothing is caught by these very forms", () => {
  test.each(["127.0.0.1", "0x7f.1", "2130706433", "１２７.０.０.１", "loop.test", "localhost"])("%s", async (host) => {
    const before = canary.connections();
    const outcome = await read(`http://${host}:${canary.port}/`, () => true);
    expect(outcome).toMatchObject({ ok: true, text: expect.stringContaining("secret") });
    expect([attempts > 0, canary.connections() - before]).toEqual([true, 1]);
  });
});

test.each(["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"])(
  "public addresses such as %s are public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);
