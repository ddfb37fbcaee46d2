// Every route × everyone who might call it × ids of their own and of others: the status is the table's, and a request
// that was refused wrote nothing. Routes come from the router itself, so a new one cannot be forgotten.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { errorEnvelope } from "../../src/protocol/error.ts";
import type { AnyRoute } from "../../src/protocol/route.ts";
import { checksum } from "../helpers/checksum.ts";
import { inShare } from "../helpers/shares.ts";
import { anonymous, type Caller, noBot, type Person, testApp } from "../helpers/test-app.ts";
import type { World } from "../helpers/test-world.ts";
import { gather, type Identity } from "./route-cast.ts";
import { type Fixture, pages, type Row, type Target, table, urlOf } from "./route-table.ts";

const app = await testApp({ channels: { ...noBot, botId: 42 } });
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

/** What can be asked of a row: everything has an own target; those with ids have foreign ones. */
function targetsOf(name: string): readonly Target[] {
  const params = [...name.matchAll(/\{(\w+)\}/g)].map(([, param]) => param);
  return [
    "own",
    ...(params.includes("projectId") ? (["foreign project"] as const) : []),
    ...(params.some((param) => param !== "projectId") ? (["foreign thing"] as const) : []),
  ];
}

type Request = { readonly identity: Identity; readonly target: Target };

const requestsOf = (name: string): readonly Request[] =>
  cast.identities.flatMap((identity) => targetsOf(name).map((target) => ({ identity, target })));

type Fixtures = {
  /** For requests that write nothing: one for each person. */
  readonly shared: (identity: Identity) => Promise<Fixture>;
  /** For one that writes: the shared one, as long as nobody had it for this. */
  readonly fresh: (identity: Identity) => Promise<Fixture>;
};

function openFixtures(name: string): Fixtures {
  const made = new Map<Person | null, Promise<Fixture>>();
  const written = new Set<Fixture | World>();
  const first = cast.fixtureFor(name, cast.owner);
  const make = async (person: Person) => cast.fixtureFor(name, person, (await first).own);
  const shared = ({ person }: Identity) => {
    const fixture = made.get(person) ?? (person && person !== cast.owner ? make(person) : first);
    made.set(person, fixture);
    return fixture;
  };
  const fresh = async (identity: Identity) => {
    const fixture = await shared(identity);
    // The project is one for all of them.
    const touched = name.includes("{projectId}") ? fixture.own : fixture;
    if (written.has(touched)) return cast.fixtureFor(name, identity.person);
    written.add(touched);
    return fixture;
  };
  return { shared, fresh };
}

/** Everything a request needs is made first, so that sending it is all that happens between two checksums. */
function prepare(name: string, row: Row, { identity, target }: Request, caller: Caller, fixture: Fixture) {
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

type Callers = ReadonlyMap<Identity, Caller>;

const newCallers = async (): Promise<Callers> =>
  new Map(await Promise.all(cast.identities.map(async (one) => [one, await one.caller()] as const)));

let lasting = await newCallers();

test.for(inShare(Object.entries(table)))("%s", async ([name, row]) => {
  const callerOf = ({ identity }: Request) => lasting.get(identity) ?? anonymous;
  const isRefused = ({ identity, target }: Request) => expectedStatus(identity, row, target) >= 400;
  const requests = requestsOf(name).filter(isRefused);
  const { shared, fresh } = openFixtures(name);
  const refused = await Promise.all(
    requests.map(async (one) => prepare(name, row, one, callerOf(one), await shared(one.identity))),
  );
  const before = await checksum(app.admin);
  const problems = (await Promise.all(refused.map((send) => send()))).flat();
  expect(problems).toEqual([]);
  expect(await checksum(app.admin)).toEqual(before);

  for (const one of requestsOf(name).filter((each) => !isRefused(each))) {
    const caller = endsSessions(name) ? await one.identity.caller() : callerOf(one);
    const fixture = await (name.startsWith("GET") ? shared : fresh)(one.identity);
    problems.push(...(await prepare(name, row, one, caller, fixture)()));
  }
  if (endsSessions(name)) lasting = await newCallers();
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
