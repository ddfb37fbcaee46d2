// Every route × everyone who might call it × ids of their own and of others: the status is the table's, and a request
// that was refused wrote nothing. Routes come from the router itself, so a new one cannot be forgotten.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { errorEnvelope } from "../../src/protocol/error.ts";
import type { AnyRoute } from "../../src/protocol/route.ts";
import { checksum } from "../helpers/checksum.ts";
import { anonymous, type Caller, testApp } from "../helpers/test-app.ts";
import type { World } from "../helpers/test-world.ts";
import { gather, type Identity } from "./route-cast.ts";
import { pages, type Row, type Target, table, targetsOf, urlOf } from "./route-table.ts";

const app = await testApp();
const cast = await gather(app);

const mounted = app.app.hono.routes
  .filter(({ method }) => method !== "ALL") // What every request passes: guards and headers.
  .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);

test("the router, the contract and the table name the same routes", () => {
  const groups: readonly object[] = Object.values(routes);
  const contract = groups
    .flatMap((group): AnyRoute[] => Object.values(group))
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(mounted.toSorted()).toEqual([...contract, ...pages].toSorted());
  expect(Object.keys(table).toSorted()).toEqual(contract.toSorted());
});

test("what every request passes is mounted for every address", () => {
  const guards = app.app.hono.routes.filter(({ method }) => method === "ALL");
  expect(new Set(guards.map(({ path }) => path))).toEqual(new Set(["/*"]));
});

const rank = ["viewer", "editor", "owner"];

/** The rules once more, in words of one syllable. */
function expectedStatus(identity: Identity, { need, sessionOnly }: Row, target: Target): number {
  const [who = "", scope = "", success = ""] = need.split(" ");
  if (who === "anyone") return Number(success);
  if (identity.person === null) return 401;
  if (who === "admin" && !identity.isAdmin) return 403;
  if (!identity.scopes.some((has) => has === scope)) return 403;
  if (sessionOnly && identity.isKey) return 403;
  if (rank.includes(who)) {
    if (identity.role === null || target === "foreign project") return 404;
    if (rank.indexOf(identity.role) < rank.indexOf(who)) return 403;
  }
  return target === "foreign thing" ? 404 : Number(success);
}

type Request = { readonly identity: Identity; readonly target: Target };

const requestsOf = (name: string): readonly Request[] =>
  cast.identities.flatMap((identity) => targetsOf(name).map((target) => ({ identity, target })));

/** Everything a request needs is made first, so that sending it is all that happens between two checksums. */
async function prepare(name: string, row: Row, { identity, target }: Request, caller: Caller, world?: World) {
  const fixture = await cast.fixtureFor(name, identity.person, world);
  const method = name.split(" ")[0] ?? "";
  const wanted = expectedStatus(identity, row, target);
  return async (): Promise<readonly string[]> => {
    const options = row.body ? { body: row.body(fixture) } : {};
    const answer = await app.call(method, urlOf(name, fixture, target), caller, options);
    if (answer.status === wanted && (wanted < 400 || errorEnvelope.safeParse(answer.body).success)) return [];
    return [`${identity.name}, ${target}: ${answer.status} instead of ${wanted} ${answer.text.slice(0, 200)}`];
  };
}

/** These end sessions, so the next request needs a new one. */
const endsSessions = (name: string) => /sign-out|password|sessions/.test(name);

test.for(Object.entries(table))("%s", async ([name, row]) => {
  const world = await cast.newWorld();
  const callers = new Map(await Promise.all(cast.identities.map(async (one) => [one, await one.caller()] as const)));
  const callerOf = ({ identity }: Request) => callers.get(identity) ?? anonymous;
  const isRefused = ({ identity, target }: Request) => expectedStatus(identity, row, target) >= 400;
  const requests = requestsOf(name).filter(isRefused);
  const refused = await Promise.all(requests.map((one) => prepare(name, row, one, callerOf(one), world)));
  const before = await checksum(app.admin);
  const problems = (await Promise.all(refused.map((send) => send()))).flat();
  expect(problems).toEqual([]);
  expect(await checksum(app.admin)).toEqual(before);

  for (const one of requestsOf(name).filter((each) => !isRefused(each))) {
    const caller = endsSessions(name) ? await one.identity.caller() : callerOf(one);
    const send = await prepare(name, row, one, caller, name.startsWith("GET") ? world : undefined);
    problems.push(...(await send()));
  }
  expect(problems).toEqual([]);
  expect(app.failures).toEqual([]);
});

test("the figures are for whoever manages the installation", async () => {
  const seen = await Promise.all(
    cast.identities.map(async ({ name, isAdmin, caller }) => {
      const { status } = await app.call("GET", "/metrics", await caller());
      return [name, status === (isAdmin ? 200 : 401)];
    }),
  );
  expect(seen.filter(([, isRight]) => !isRight)).toEqual([]);
});
