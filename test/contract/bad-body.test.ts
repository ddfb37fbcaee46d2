// Every route that takes a body gets every kind of body it must not take: the answer is a clear 4xx, never our fault,
// and nothing is written. Routes and fields come from the contract.

import { expect, test } from "vitest";
import type { z } from "zod";
import { routes } from "../../src/protocol/api.ts";
import { errorEnvelope } from "../../src/protocol/error.ts";
import type { AnyRoute } from "../../src/protocol/route.ts";
import { checksum } from "../helpers/checksum.ts";
import { inShare } from "../helpers/shares.ts";
import { type Answer, type CallOptions, testApp } from "../helpers/test-app.ts";
import { badValuesOf, notObjects, withField } from "./bad-values.ts";
import { everyRoute, gather } from "./route-cast.ts";
import { table, urlOf } from "./route-table.ts";

const app = await testApp();
const cast = await gather(app);
const admin = cast.identities.find(({ isAdmin }) => isAdmin);
const adminSession = (await admin?.caller()) ?? {};
const fixture = await cast.fixtureFor(everyRoute, cast.owner);

const groups: readonly object[] = Object.values(routes);
const withBody = groups
  .flatMap((group): AnyRoute[] => Object.values(group))
  .filter(({ body }) => body)
  .map((route) => {
    const name = `${route.method.toUpperCase()} ${route.path}`;
    const fields = Object.keys((route.body as z.ZodObject).shape);
    return { name, route, fields, url: urlOf(name, fixture, "own"), valid: table[name]?.body?.(fixture) };
  });
type Target = (typeof withBody)[number];
const mine = inShare(withBody);

const callerOf = ({ route }: Target) => (route.policy.kind === "admin" ? adminSession : cast.owner.session);

const send = (target: Target, options: CallOptions) =>
  app.call(target.route.method.toUpperCase(), target.url, callerOf(target), options);

const isClear = ({ status, body }: Answer) => status >= 400 && status < 500 && errorEnvelope.safeParse(body).success;

/** Sends each of these; what was not refused clearly is named. Nothing may have been written. */
async function check(target: Target, bodies: readonly { what: string; options: CallOptions; status?: number }[]) {
  const before = await checksum(app.admin);
  const problems: string[] = [];
  for (const { what, options, status } of bodies) {
    const answer = await send(target, options);
    const isTooLong = typeof options.raw === "string" && Buffer.byteLength(options.raw) > target.route.bodyBytes;
    if (!isClear(answer) || (status && answer.status !== (isTooLong ? 413 : status)))
      problems.push(`${what.slice(0, 80)}: ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  expect(problems).toEqual([]);
  expect(app.failures).toEqual([]);
  expect(await checksum(app.admin)).toEqual(before);
}

test.for(mine)("$name refuses what is no object", (target) =>
  check(
    target,
    some(target, notObjects).map((raw) => ({ what: String(raw), options: { raw }, status: 400 })),
  ),
);

test.for(mine)("$name refuses fields it does not know", (target) => {
  const extra = ["nonsense", "id", "created_by", "__proto__", "constructor", "prototype", "", "toString"];
  const bodies = extra.map((field) => ({ what: field, options: { raw: withField(target.valid, field, '{"a":1}') } }));
  return check(target, bodies);
});

/** All of their fields may be left out. */
const needNothing = [
  "/api/channels/{channelId}",
  "/api/users/{userId}",
  "/api/homework/runs/{runId}/resume",
  "/api/homework/runs/{runId}/fork",
  "/api/homework/runs/{runId}/undo",
  "/api/chat/sessions",
  "/api/outcomes/{outcomeId}/tasks/{taskId}/obsolete",
  "/api/outcomes/{outcomeId}/homr/config",
  "/api/outcomes/{outcomeId}/homr/escalations/{escId}/dismiss",
  "/api/homework/runs/{runId}/follow-up",
  "/api/agents/projects/{agentProject}/tasks/{agentTask}/stop",
  "/api/agents/projects/{agentProject}/tasks/{agentTask}/runs/{agentRun}/stop",
];

test.for(mine)("$name refuses a body without what it needs", (target) =>
  needNothing.includes(target.route.path)
    ? undefined
    : check(target, [{ what: "{}", options: { body: {} }, status: 400 }]),
);

/** One function makes the routes of all kinds, so three of the kinds get every third value. */
const some = <Value>({ name }: Target, values: readonly Value[]) =>
  values.filter((_, index) => !/goals|plans|milestones/.test(name) || index % 3 === 0);

/** Where null is a value: the title that a run had at first. */
const mayBeNull: readonly string[] = ["PATCH /api/homework/runs/{runId} title"];
const wrongValues = (target: Target, field: string) =>
  badValuesOf(field).filter((value) => value !== "null" || !mayBeNull.includes(`${target.name} ${field}`));

test.for(mine)("$name refuses wrong values in every field", (target) =>
  check(
    target,
    target.fields.flatMap((field) =>
      some(target, wrongValues(target, field)).map((value) => ({
        what: `${field}: ${value}`,
        options: { raw: withField(target.valid, field, value) },
        status: 400,
      })),
    ),
  ),
);

test("a body of ten megabytes is refused before it is read, whether it says so or not", async () => {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20);
  for (const target of withBody) {
    const said = await send(target, { raw: "{}", headers: { "content-length": String(10 * 1024 * 1024) } });
    expect([target.name, said.status, said.body.error.code]).toEqual([target.name, 413, "too_large"]);
  }
  let sent = 0;
  const endless = new ReadableStream({
    pull: (controller) => {
      sent += 1;
      if (sent > 100) controller.close();
      else controller.enqueue(megabyte);
    },
  });
  const target = withBody.find(({ name }) => name.endsWith("/tasks"));
  const unsaid = target && (await send(target, { raw: endless }));
  expect([unsaid?.status, unsaid?.body.error.code]).toEqual([413, "too_large"]);
  expect(sent).toBeLessThan(20);
});

test("the largest thing that the contract promises to take is taken", async () => {
  const target = withBody.find(({ name }) => name === "POST /api/projects/{projectId}/documents");
  // Three bytes each, the most a character of one unit takes.
  const answer = target && (await send(target, { body: { title: "Large", content: "\u20ac".repeat(2_900_000) } }));
  expect(answer?.status).toBe(201);
});

test("text that is not UTF-8 is refused, not repaired", async () => {
  const target = withBody.find(({ name }) => name.endsWith("POST /api/projects/{projectId}/tasks"));
  const raw = Buffer.from('{"title":"caf\xe9"}', "latin1");
  const answer = target && (await send(target, { raw: new Uint8Array(raw) }));
  expect([answer?.status, answer?.body.error.code]).toEqual([400, "malformed_json"]);
});

test("an object's prototype is as it was", () => {
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
