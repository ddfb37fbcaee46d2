// The ordinary users of the siege: each looks at lists, a run's page and a search, follows a stream, writes a note and signs in again now and
// then. Each has an address of its own. What they wait for and what fails is what the siege is about.

import { setTimeout as sleep } from "node:timers/promises";
import { routes } from "../src/protocol/api.ts";
import { type Client, createClient, emailOf, passwordOf, signUpAs } from "./siege-client.ts";

const peopleCount = 20;
/** Between two requests of one user, on average. */
const pauseMs = 1_000;
/** A user signs in again this often, in requests. */
const signInEvery = 40;

export type Person = {
  readonly name: string;
  readonly client: Client;
  readonly projectId: string;
  runId: string | null;
};

export type Tally = {
  readonly times: { readonly what: string; readonly ms: number }[];
  readonly errors: string[];
  streamEnds: number;
};

const personName = (index: number): string => `person${index}`;

export async function makePeople(url: string): Promise<readonly Person[]> {
  const people: Person[] = [];
  for (let index = 0; index < peopleCount; index += 1) {
    const name = personName(index);
    const client = createClient(url, `127.0.1.${index + 1}`);
    await signUpAs(client, name);
    const made = await client.send("POST", routes.projects.create.path, { name: `Garden of ${name}` });
    const { id: projectId } = JSON.parse(made.body) as { id: string };
    people.push({ name, client, projectId, runId: null });
  }
  return people;
}

type Errand = readonly [method: string, path: string, body?: unknown];

function errandOf({ name, projectId, runId }: Person, turn: number): Errand {
  if (turn % signInEvery === signInEvery - 1)
    return ["POST", "/api/auth/sign-in", { email: emailOf(name), password: passwordOf(name) }];
  const errands: readonly Errand[] = [
    ["GET", "/api/homework/runs?limit=20"],
    ["GET", runId === null ? "/api/projects" : `/api/homework/runs/${runId}?include_iterations=true&limit=20`],
    ["GET", `/api/search?q=${encodeURIComponent("roses and hall")}`],
    ["GET", `/api/projects/${projectId}/documents?limit=20`],
    [
      "POST",
      `/api/projects/${projectId}/documents`,
      { title: `Note ${turn}`, content: `Roses, turn ${turn}. `.repeat(20) },
    ],
    ["GET", "/api/me"],
  ];
  return errands[turn % errands.length] as Errand;
}

/** Until `signal`; what was asked before is still waited for. `tally` says where figures belong at the moment. */
export async function bePeople(people: readonly Person[], tally: () => Tally, signal: AbortSignal): Promise<void> {
  await Promise.all(people.map((person, index) => bePerson(person, index, tally, signal)));
}

async function bePerson(person: Person, index: number, tally: () => Tally, signal: AbortSignal): Promise<void> {
  followFeed(person, tally, signal);
  await sleep((pauseMs / peopleCount) * index);
  for (let turn = index; !signal.aborted; turn += 1) {
    const [method, path, body] = errandOf(person, turn);
    const into = tally();
    const what = `${method} ${path.split("?")[0]?.replaceAll(/[0-9a-f-]{36}/g, "…")}`;
    try {
      const { status, ms, body: said } = await person.client.send(method, path, body);
      into.times.push({ what, ms });
      if (status >= 400) into.errors.push(`${what}: ${status} ${said.slice(0, 120)}`);
    } catch (thrown) {
      into.errors.push(`${what}: ${String(thrown)}`);
    }
    await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}

/** The server ends a stream in good order after five minutes, and the page comes back; everything else is an error. */
function followFeed(person: Person, tally: () => Tally, signal: AbortSignal): void {
  const topics = person.runId === null ? "feed" : `feed,run:${person.runId}`;
  person.client.follow(`/api/live?topics=${topics}`, (end) => {
    if (signal.aborted) return;
    if (end === "closed") tally().streamEnds += 1;
    else tally().errors.push(`live stream: ${end}`);
    setTimeout(() => signal.aborted || followFeed(person, tally, signal), 500);
  });
}
