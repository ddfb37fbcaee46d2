// Ids, queries and cursors that nobody of good will would send, on every route that takes them: a clear 4xx, never our
// fault, and nothing is written.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { errorEnvelope } from "../../src/protocol/error.ts";
import type { AnyRoute } from "../../src/protocol/route.ts";
import { insertDelivery } from "../helpers/channel-rows.ts";
import { checksum } from "../helpers/checksum.ts";
import { insertOutcome } from "../helpers/outcome-rows.ts";
import { insertNotification, insertOutput, insertStagedWrite, insertTraces } from "../helpers/run-rows.ts";
import { inShare } from "../helpers/shares.ts";
import { testApp } from "../helpers/test-app.ts";
import { everyRoute, gather } from "./route-cast.ts";
import { table, urlOf } from "./route-table.ts";

const app = await testApp();
const cast = await gather(app);
const adminSession = (await cast.identities.find(({ isAdmin }) => isAdmin)?.caller()) ?? {};
const fixture = await cast.fixtureFor(everyRoute, cast.owner);
const { own } = fixture;

const groups: readonly object[] = Object.values(routes);
const all = groups
  .flatMap((group): AnyRoute[] => Object.values(group))
  .map((route) => ({ route, name: `${route.method.toUpperCase()} ${route.path}` }));
type Target = (typeof all)[number];

const callerOf = ({ route }: Target) => (route.policy.kind === "admin" ? adminSession : cast.owner.session);

/** Sends it, and says what is wrong with the answer where it is no clear refusal. */
async function problemWith(target: Target, url: string, wanted: number): Promise<readonly string[]> {
  const body = table[target.name]?.body?.(fixture);
  const answer = await app.call(target.route.method.toUpperCase(), url, callerOf(target), { body });
  const isClear = answer.status === wanted && errorEnvelope.safeParse(answer.body).success;
  return isClear ? [] : [`${target.name} ${url.slice(0, 120)}: ${answer.status} ${answer.text.slice(0, 160)}`];
}

async function check(requests: readonly Promise<readonly string[]>[]) {
  expect((await Promise.all(requests)).flat()).toEqual([]);
  expect(app.failures).toEqual([]);
}

const badIds = [
  "..%2f..%2fetc%2fpasswd",
  "%2e%2e%2f",
  "%00",
  "%ff",
  "%E0%A4%A",
  "x".repeat(5_000),
  "1",
  "null",
  "'%20or%201=1--",
  "00000000-0000-0000-0000-00000000000g",
  "{}",
];

test.for(inShare(badIds))("an id like %j names nothing on any route", async (bad) => {
  const before = await checksum(app.admin);
  const requests = all
    .filter(({ route }) => route.path.includes("{"))
    .flatMap((target) => {
      const url = urlOf(target.name, fixture, "own");
      const ids = url.match(/[0-9a-f-]{36}/g) ?? [];
      return ids.map((id) =>
        problemWith(
          target,
          url.replace(id, () => bad),
          404,
        ),
      );
    });
  expect(requests.length).toBeGreaterThan(40);
  await check(requests);
  expect(await checksum(app.admin)).toEqual(before);
});

test("an id in capitals is the same id", async () => {
  const url = `/api/projects/${own.projectId.toUpperCase()}`;
  expect((await app.call("GET", url, cast.owner.session)).body.id).toBe(own.projectId);
  const body = { src_id: own.things.plan.toUpperCase(), rel: "needs", dst_id: own.things.goal.toUpperCase() };
  expect((await app.call("POST", `${url}/edges`, cast.owner.session, { body })).status).toBe(201);
});

const withQuery = all.filter(({ route }) => route.query);
const queryOf = (target: Target, query: string) => {
  const url = urlOf(target.name, fixture, "own");
  return `${url}${url.includes("?") ? "&" : "?"}${query}`;
};

test("a parameter that a route does not know, or gets twice, is refused", () =>
  check(
    withQuery.flatMap((target) =>
      ["nonsense=1", "__proto__=1", "a[b]=1", "LIMIT=1"].map((query) =>
        problemWith(target, queryOf(target, query), 400),
      ),
    ),
  ));

/** For a parameter of this name, wherever a route has it. */
const badParameters: Readonly<Record<string, readonly string[]>> = {
  limit: ["0", "-1", "201", "1.5", "x", "", "1e9", "NaN", "0x", "1&limit=2", "%00"],
  sort: ["nonsense", "", "title;drop", "__proto__"],
  state: ["nonsense", "", "%00"],
  type_key: ["UPPER", "a b", "..", "%00", "x".repeat(121)],
  rel: ["UPPER", "a b", "..", "%00", "x".repeat(121)],
  run_id: ["x", "", "%00", "1"],
  entity_id: ["x", "", "%00", "1"],
  project_id: ["x", "", "%00", "1"],
  deleted: ["maybe", "", "1", "TRUE"],
  bookkeeping: ["maybe", "", "1", "TRUE"],
  kind: ["nonsense", "", "edge", "%00"],
  since_seq: ["-1", "x", "1.5", "1e99", "%00"],
  events_since_seq: ["-1", "x", "1.5", "1e99", "%00"],
  status: ["nonsense", "", "%00", "RUNNING"],
  group: ["nonsense", "", "%00", "ACTIVE"],
  actor_id: ["nonsense", "", "%00", "1"],
  part: ["nonsense", "", "%00", "RUNS"],
  type: ["nonsense", "", "%00"],
  task_id: ["x", "", "%00", "1"],
  dry_run: ["maybe", "", "1"],
  topics: ["", "everything", "user:x", "run:1", "feed@x", "feed@-1", "feed,", "feed,feed", "%00"],
  unread: ["maybe", "", "1", "TRUE"],
  archived: ["maybe", "", "true", "NO", "%00"],
  ended_since: ["", "x", "2026-02-30T00:00:00Z", "2026-01-01", "0", "%00"],
  ended_before: ["", "x", "2026-02-30T00:00:00Z", "2026-01-01", "0", "%00"],
  include_iterations: ["maybe", "", "1"],
  include_events: ["maybe", "", "1"],
  include_workspace: ["maybe", "", "1"],
  include_working_notes: ["maybe", "", "1"],
  q: ["", "%00", "%20", "x".repeat(401)],
  cursor: ["", "x", "%00", "x".repeat(900), "bm9uc2Vuc2U", ...oddCursors()],
  messages_cursor: ["", "x".repeat(900), "bm9uc2Vuc2U"],
  before: ["", "%00", "x".repeat(201)],
  since: ["", "%00", "x".repeat(201)],
  name: ["", "%00", "..", "../config.hcl", "%2e%2e%2fconfig.hcl", "a/b", "x".repeat(201)],
  tail: ["0", "-1", "x", "1.5", "1e99", "%00"],
  stdout: ["-1", "x", "1.5", "1e99", "%00"],
  stderr: ["-1", "x", "1.5", "1e99", "%00"],
  stream: ["nonsense", "", "%00"],
  from: ["-1", "x", "1.5", "1e99", "%00"],
  up_to: ["-1", "x", "1.5", "1e99", "%00"],
  lines: ["0", "-1", "x", "5001", "%00"],
  iterations_before: ["0", "x", "1.5", "1e99", "%00"],
  iterations_cursor: ["x".repeat(900), "bm9uc2Vuc2U&include_iterations=true"],
};

/** What decodes, but is no place in any list. */
function oddCursors(): readonly string[] {
  const id = own.projectId;
  const odd: readonly unknown[] = [
    null,
    {},
    [],
    [1, 2, 3, 4],
    ["2026-01-01T00:00:00.000Z", id],
    ["0000-01-01T00:00:00.000Z", id],
    ["2026-02-30T00:00:00.000Z", id],
    ["2026-01-01T00:00:00.000Z", "x"],
    ["a\u0000b", id],
    [1e300],
    [-1],
    [["nested"], { deep: [] }],
  ];
  return odd.map((value) => Buffer.from(JSON.stringify(value)).toString("base64url"));
}

test.for(Object.entries(badParameters))(
  "wrong values of %s are refused wherever it is taken",
  async ([name, values]) => {
    const targets = withQuery.filter(({ route }) => name in route.query.shape);
    expect(targets.length).toBeGreaterThan(0);
    // Route by route: all at once would be hundreds of requests for the few connections of a test.
    for (const target of targets) {
      const url = queryOf(target, "")
        .replace(/name=[\w.-]+&?/, (given) => (name === "name" ? "" : given))
        .replace(/q=garden&?/, name === "q" ? "" : "q=garden&")
        .replace(/topics=feed&?/, name === "topics" ? "" : "topics=feed&");
      await check(values.map((value) => problemWith(target, `${url}${name}=${value}`, 400)));
    }
  },
);

test("every parameter of the contract has wrong values here", () => {
  const known = withQuery.flatMap(({ route }) => Object.keys(route.query.shape));
  expect([...new Set(known)].filter((name) => !(name in badParameters))).toEqual([]);
});

/** Lists with a page each, so that they have a cursor to give. */
async function cursorsByList(): Promise<ReadonlyMap<Target, string>> {
  const { rows } = await app.admin.query("select id from homework.auth_users limit 1");
  expect(rows).toHaveLength(1);
  const add = (url: string, body: object) => app.call("POST", url, cast.owner.session, { body });
  const base = `/api/projects/${own.projectId}`;
  for (const plural of ["tasks", "goals", "plans", "milestones", "documents"])
    await add(`${base}/${plural}`, { title: "B" });
  await add(`${base}/edges`, { src_id: own.things.goal, rel: "needs", dst_id: own.things.plan });
  await add("/api/projects", { name: "Second" });
  for (const nth of ["first", "second"]) await add("/api/homework/runs", { objective: `The ${nth} one` });
  for (let n = 0; n < 2; n++) await insertNotification(app.admin, cast.owner.id);
  for (let n = 0; n < 2; n++) await insertDelivery(app.admin, fixture.channelId.own);
  await add("/api/chat/sessions", {});
  await insertOutcome(app.admin, cast.owner.id);
  await insertStagedWrite(app.admin, fixture.runId.own, 2);
  await insertOutput(app.admin, cast.owner.id, fixture.runId.own);
  app.desks.makeTask(cast.owner.id, fixture.agent.own.project);
  await insertTraces(app.admin, own.projectId, fixture.runId.own);
  const cursors = new Map<Target, string>();
  for (const target of withQuery.filter(({ route }) => "cursor" in route.query.shape)) {
    const { body } = await app.call("GET", queryOf(target, "limit=1"), callerOf(target));
    expect([target.name, body.next_cursor]).toEqual([target.name, expect.any(String)]);
    cursors.set(target, body.next_cursor);
  }
  return cursors;
}

test("the cursor of one list is refused by every other", async () => {
  const cursors = await cursorsByList();
  expect(cursors.size).toBe(34);
  for (const [from, cursor] of cursors) {
    const others = [...cursors.keys()].filter((target) => target !== from);
    await check(others.map((target) => problemWith(target, queryOf(target, `cursor=${cursor}`), 400)));
  }
  const byTitle = [...cursors].find(([{ name }]) => name.endsWith("/tasks"));
  await check(byTitle ? [problemWith(byTitle[0], queryOf(byTitle[0], `sort=title&cursor=${byTitle[1]}`), 400)] : []);
});

test("a list by title goes on after a title too long for an address", async () => {
  const base = `/api/projects/${own.projectId}/goals`;
  const titles = ["a", "b", "c"].map((letter) => letter + "\u{1F331}".repeat(1_900));
  for (const title of titles) await app.call("POST", base, cast.owner.session, { body: { title } });
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null && seen.length < 20; ) {
    const url = `${base}?sort=title&limit=1${cursor ? `&cursor=${cursor}` : ""}`;
    const { status, body } = await app.call("GET", url, cast.owner.session);
    expect(status).toBe(200);
    seen.push(...body.items.map(({ title }: { title: string }) => title));
    cursor = body.next_cursor;
  }
  expect(seen.filter((title) => titles.includes(title))).toEqual(titles);
});

const typed = [
  "'",
  '"',
  "-",
  "or",
  "a or",
  "!",
  "a & b | !c",
  "<->",
  ":*",
  "\\",
  "%",
  "(((",
  "\u{1F331}",
  "a:b",
  "\u0001\u0002",
  "ﬁ ß İ",
];
test.for(typed)("searching for %j finds or does not, and never fails", async (q) => {
  const { status } = await app.call("GET", `/api/search?q=${encodeURIComponent(q)}`, cast.owner.session);
  expect(status).toBe(200);
});
