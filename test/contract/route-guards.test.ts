// What every request must pass before a route sees it, tried on every route: names of hosts, origins, content types,
// credentials in the address; and the headers that every answer carries.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import type { AnyRoute } from "../../src/protocol/route.ts";
import { checksum } from "../helpers/checksum.ts";
import { anonymous, type CallOptions, testApp } from "../helpers/test-app.ts";
import { everyRoute, gather } from "./route-cast.ts";
import { table, urlOf } from "./route-table.ts";

const app = await testApp();
const cast = await gather(app);
const fixture = await cast.fixtureFor(everyRoute, cast.owner);
const session = cast.owner.session;

const all = Object.entries(table).map(([name, row]) => {
  const [method = ""] = name.split(" ");
  return { name, method, row, url: urlOf(name, fixture, "own"), body: row.body?.(fixture) };
});
const changes = all.filter(({ method }) => method !== "GET");

/** Sends it to each of these routes; what came back otherwise than as `wanted` is named, and nothing may be written. */
async function check(targets: typeof all, wanted: { status: number; code: string }, options: CallOptions) {
  const before = await checksum(app.admin);
  const answers = await Promise.all(
    targets.map(async ({ name, method, url, body }) => {
      const answer = await app.call(method, url, session, { body, ...options });
      return { name, status: answer.status, code: answer.body?.error?.code };
    }),
  );
  expect(answers).toEqual(targets.map(({ name }) => ({ name, ...wanted })));
  expect(await checksum(app.admin)).toEqual(before);
}

const hosts = [
  "evil.example",
  "evil.example:4180",
  "127.0.0.1.evil.example",
  "localhost.",
  "127.0.0.1:4180@evil.example",
  "",
];
test.for(hosts)("a request to host %j is refused by every route", (host) =>
  check(all, { status: 421, code: "host_refused" }, { headers: { host } }),
);

const origins = [
  "http://evil.example",
  "https://127.0.0.1.evil.example",
  "http://127.0.0.1:4181",
  "http://localhost:9999",
  "null",
  "",
];
test.for(origins)("a change from origin %j is refused by every route", (from) =>
  check(changes, { status: 403, code: "origin_refused" }, { headers: { origin: from } }),
);

const sites = ["cross-site", "same-site", "nonsense"];
test.for(sites)("a change without origin from a %s page is refused by every route", (site) =>
  check(changes, { status: 403, code: "origin_refused" }, { headers: { origin: null, "sec-fetch-site": site } }),
);

test("a change with nothing but a cookie is refused by every route", () =>
  check(changes, { status: 403, code: "origin_refused" }, { headers: { origin: null } }));

const types = [
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
  "text/plain; application/json",
];
test.for(types)("a change sent as %s is refused by every route", (type) =>
  check(changes, { status: 415, code: "wrong_content_type" }, { headers: { "content-type": type } }),
);

test("a change sent without any type is refused where a body belongs", () =>
  check(
    changes.filter(({ method }) => method !== "DELETE"),
    { status: 415, code: "wrong_content_type" },
    // A body of bytes has no type of its own, which a string would get.
    { headers: { "content-type": null }, raw: new TextEncoder().encode("{}") },
  ));

test("a credential in the address signs nobody in", async () => {
  const key = (await app.newKey(cast.owner.id, ["admin"])).authorization.slice("Bearer ".length);
  const cookie = (await app.newSession(cast.owner.id)).cookie.split("=")[1];
  const asked = all.filter(({ row }) => !row.need.startsWith("anyone"));
  const credentials = [`token=${key}`, `api_key=${key}`, `key=${key}`, `access_token=${cookie}`, `session=${cookie}`];
  const answers = await Promise.all(
    asked.flatMap(({ name, method, url, body }) =>
      credentials.map(async (credential) => {
        const to = `${url}${url.includes("?") ? "&" : "?"}${credential}`;
        return { name, status: (await app.call(method, to, anonymous, { body })).status };
      }),
    ),
  );
  expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
});

const bad = [
  { authorization: "Bearer hw_nonsense" },
  { authorization: "Basic b3duZXI6cGFzc3dvcmQ=" },
  { authorization: "" },
  { cookie: "homework.session_token=nonsense" },
  { cookie: "homework.session_token=a.b; homework.session_token=c.d" },
  { "x-api-key": "hw_nonsense" },
];
test.for(bad)("%o signs nobody in", async (headers) => {
  expect((await app.call("GET", "/api/me", headers)).status).toBe(401);
});

test("a key that is wrong is not made good by a cookie that is right", async () => {
  const both = { ...(await app.newSession(cast.owner.id)), authorization: "Bearer hw_nonsense" };
  expect((await app.call("GET", "/api/me", both)).status).toBe(401);
});

const expectedHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

function missingFrom(headers: Headers): readonly string[] {
  const missing = Object.entries(expectedHeaders).filter(([name, value]) => headers.get(name) !== value);
  const policy = headers.get("content-security-policy") ?? "";
  return [
    ...missing.map(([name]) => `lacks ${name}`),
    ...(policy.startsWith("default-src 'none'") && policy.includes("frame-ancestors 'none'")
      ? []
      : [`policy: ${policy}`]),
    ...(/unsafe-|\*/.test(policy) ? [`policy: ${policy}`] : []),
    ...(headers.has("permissions-policy") && headers.has("cache-control") ? [] : ["lacks a header"]),
    ...[...headers.keys()].filter((name) => name.startsWith("access-control-") || name === "x-powered-by"),
  ];
}

const addresses = ["/", "/projects/1", "/sign-in", "/favicon.svg", "/assets/page.js", "/assets/none.js", "/api/none"];
const others = ["/api-reference", "/api-reference/swagger-ui.css", "/openapi.json", "/auth/once?token=x", "/metrics"];

test("every answer carries the headers that protect a browser", async () => {
  const gets = all.filter(({ method }) => method === "GET").map(({ url }) => url);
  const problems: string[] = [];
  for (const url of [...gets, ...addresses, ...others])
    for (const caller of [session, anonymous])
      for (const headers of [{}, { host: "evil.example" }, { origin: "http://evil.example" }]) {
        const answer = await app.call("GET", url, caller, { headers });
        problems.push(...missingFrom(answer.headers).map((problem) => `${answer.status} ${url}: ${problem}`));
      }
  for (const { method, url, name } of changes) {
    const answer = await app.call(method, url, anonymous, { raw: "{" });
    problems.push(...missingFrom(answer.headers).map((problem) => `${answer.status} ${name}: ${problem}`));
  }
  expect(problems).toEqual([]);
});

test("a question whether another site may call is not answered with yes", async () => {
  const headers = { origin: "http://evil.example", "access-control-request-method": "POST" };
  const answers = await Promise.all(all.map(({ url }) => app.call("OPTIONS", url, anonymous, { headers })));
  expect(answers.filter(({ status }) => status < 400)).toEqual([]);
  expect(answers.flatMap((answer) => missingFrom(answer.headers))).toEqual([]);
});

test("a page gets a nonce of its own each time", async () => {
  const nonces = await Promise.all(
    ["/", "/", "/api-reference"].map(async (url) => {
      const { text, headers } = await app.call("GET", url, anonymous);
      const nonce = /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1];
      expect(text).toContain(`nonce="${nonce}"`);
      expect(text).not.toContain("__CSP_NONCE__");
      return nonce;
    }),
  );
  expect(new Set(nonces).size).toBe(3);
});

const climbing = [
  "/assets/..%2findex.html",
  "/assets/%2e%2e/index.html",
  "/assets/..%5cindex.html",
  "/assets/%00",
  "/assets//etc/passwd",
];
test.for(climbing)("no file outside of the assets is served at %s", async (url) => {
  const { status, text } = await app.call("GET", url, anonymous);
  expect({ status, isPage: text.includes("nonce") }).toEqual({ status: 404, isPage: false });
});

test("the description names every route and asks for a credential wherever the table does", async () => {
  const { body } = await app.call("GET", "/openapi.json", anonymous);
  const groups: readonly object[] = Object.values(routes);
  const described = groups
    .flatMap((group): AnyRoute[] => Object.values(group))
    .map(({ method, path }) => ({
      name: `${method.toUpperCase()} ${path}`,
      isOpen: body.paths[path]?.[method]?.security?.length === 0,
    }));
  const wanted = described.map(({ name }) => ({ name, isOpen: table[name]?.need.startsWith("anyone") }));
  expect(described).toEqual(wanted);
});
