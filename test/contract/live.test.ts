// Several live streams in one: each topic as its own stream would be, nothing of others, and one that goes away takes none
// of the others with it.

import { expect, test } from "vitest";
import { defaultStreamLimits } from "../../src/server/sse/stream.ts";
import { insertChat, insertOpenAnswer } from "../helpers/chat-rows.ts";
import { insertRun } from "../helpers/run-rows.ts";
import { type Caller, type Person, testApp } from "../helpers/test-app.ts";

const streamLimits = { ...defaultStreamLimits, heartbeatMs: 100 };
const app = await testApp({ listen: true, poolSize: 8, streamLimits });

const runs = "/api/homework/runs";
const newRun = (by: Person) => insertRun(app.admin, by.id);
const steer = async (by: Person, runId: string, message = "hello") => {
  const { status } = await app.call("POST", `${runs}/${runId}/steer`, by.session, { body: { message } });
  expect(status).toBe(200);
};
const newProject = async (by: Person): Promise<string> =>
  (await app.call("POST", "/api/projects", by.session, { body: { name: "Garden" } })).body.id;
const newTask = (by: Person, projectId: string, title: string) =>
  app.call("POST", `/api/projects/${projectId}/tasks`, by.session, { body: { title } });
const join = (owner: Person, projectId: string, member: Person) =>
  app.call("POST", `/api/projects/${projectId}/members`, owner.session, {
    body: { email: member.email, role: "viewer" },
  });
const leave = (owner: Person, projectId: string, member: Person) =>
  app.call("DELETE", `/api/projects/${projectId}/members/${member.id}`, owner.session);

type Told = { readonly event: string; readonly id: number | null; readonly topic: string; readonly text: string };

/** Reads a stream as a browser does: lines of data are joined. */
async function listen(caller: Caller, topics: string) {
  const response = await app.fetch("GET", `/api/live?topics=${topics}`, caller);
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  const told: Told[] = [];
  const state = { told, hasEnded: false };
  const reading = (async () => {
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (rest + part.value).split("\n\n");
      rest = blocks.pop() ?? "";
      told.push(...blocks.filter((block) => block.includes("event:")).map(toTold));
    }
    state.hasEnded = true;
  })();
  const of = (topic: string) => told.filter((one) => one.topic === topic && one.id !== null).map(({ id }) => id);
  const until = (isEnough: () => boolean) => expect.poll(isEnough, { interval: 10 }).toBe(true);
  const said = (event: string, topic: string) => told.some((one) => one.event === event && one.topic === topic);
  const close = async () => {
    await reader.cancel();
    await reading;
  };
  return { state, told, of, until, said, close };
}

function toTold(block: string): Told {
  const field = (name: string) =>
    [...block.matchAll(new RegExp(`^${name}: (.*)$`, "gm"))].map(([, value = ""]) => value);
  const [topic = "", ...text] = field("data");
  const id = field("id")[0];
  return { event: field("event")[0] ?? "", id: id === undefined ? null : Number(id), topic, text: text.join("\n") };
}

test("several topics in one stream, each with its numbers, names and what its own stream says", async () => {
  const anna = await app.signUp("anna");
  const [runId, projectId] = [await newRun(anna), await newProject(anna)];
  const chatId = await insertChat(app.admin, anna.id);
  const live = await listen(anna.session, `feed@0,run:${runId}@0,project:${projectId}@0,chat:${chatId}`);
  await steer(anna, runId);
  await newTask(anna, projectId, "Dig");
  await live.until(() => live.of(`run:${runId}`).includes(1) && live.of(`project:${projectId}`).includes(2));
  expect(live.of(`run:${runId}`)).toEqual([1]);
  expect(live.of(`project:${projectId}`)).toEqual([1, 2]);
  const steered = live.told.find(({ topic, id }) => topic === `run:${runId}` && id !== null);
  expect(steered?.event).toBe("run_event");
  expect(JSON.parse(steered?.text ?? "")).toMatchObject({ seq: 1, type: "run_steered" });
  expect(live.told.find(({ text }) => text.includes("Dig"))?.event).toBe("change");
  await live.close();
});

test("every topic says where it begins: after what the client has, with now, and never beyond the end", async () => {
  const anna = await app.signUp("anna");
  const made = [await newRun(anna), await newRun(anna), await newRun(anna)] as const;
  for (const runId of made) for (const message of ["a", "b"]) await steer(anna, runId, message);
  const live = await listen(anna.session, `run:${made[0]}@1,run:${made[1]},run:${made[2]}@999`);
  await live.until(() => live.of(`run:${made[0]}`).includes(2));
  const begun = live.told.filter(({ event }) => event === "begin").map(({ topic, text }) => [topic, JSON.parse(text)]);
  expect(begun).toEqual([
    [`run:${made[0]}`, { seq: 1 }],
    [`run:${made[1]}`, { seq: 2 }],
    [`run:${made[2]}`, { seq: 2 }],
  ]);
  for (const runId of made) await steer(anna, runId, "c");
  await live.until(() => made.every((runId) => live.of(`run:${runId}`).includes(3)));
  expect(made.map((runId) => live.of(`run:${runId}`))).toEqual([[2, 3], [3], [3]]);
  await live.close();
});

test("what a browser sends when it comes back means nothing here: the address says it for each topic", async () => {
  const anna = await app.signUp("anna");
  const runId = await newRun(anna);
  for (const message of ["a", "b", "c"]) await steer(anna, runId, message);
  const live = await listen({ ...anna.session, "last-event-id": "3" }, `run:${runId}@1`);
  await live.until(() => live.of(`run:${runId}`).includes(3));
  expect(live.of(`run:${runId}`)).toEqual([2, 3]);
  await live.close();
});

test("topics of others, and those that do not exist, are gone; one's own go on", async () => {
  const [anna, ben] = [await app.signUp("anna"), await app.signUp("ben")];
  const [theirs, own] = [await newRun(anna), await newRun(ben)];
  const projectId = await newProject(anna);
  const chatId = await insertChat(app.admin, anna.id);
  const nothing = "00000000-0000-4000-8000-000000000000";
  const foreign = [`run:${theirs}`, `project:${projectId}`, `chat:${chatId}`, `run:${nothing}`];
  const live = await listen(ben.session, [...foreign.map((topic) => `${topic}@0`), `run:${own}@0`, "feed@0"].join());
  await steer(anna, theirs, "secret");
  await newTask(anna, projectId, "secret");
  await steer(ben, own);
  await live.until(() => live.of(`run:${own}`).length === 1 && live.told.some(({ event }) => event === "alive"));
  expect(live.told.filter(({ event }) => event === "gone").map(({ topic }) => topic)).toEqual(foreign);
  expect(live.told.filter(({ topic, event }) => foreign.includes(topic) && event !== "gone")).toEqual([]);
  expect(JSON.stringify(live.told)).not.toContain("secret");
  await live.close();
});

test("the feed is that of whoever asks", async () => {
  const [anna, ben] = [await app.signUp("anna"), await app.signUp("ben")];
  const create = (by: Person) => app.call("POST", runs, by.session, { body: { objective: `For ${by.name}` } });
  const live = await listen(ben.session, "feed@0");
  await create(anna);
  await create(ben);
  await live.until(() => live.of("feed").length > 0);
  const text = JSON.stringify(live.told);
  expect([text.includes("For ben"), text.includes("For anna")]).toEqual([true, false]);
  await live.close();
});

test("someone who is no longer a member is told nothing more of the project, and the rest goes on", async () => {
  const [anna, ben] = [await app.signUp("anna"), await app.signUp("ben")];
  const projectId = await newProject(anna);
  const runId = await newRun(ben);
  await join(anna, projectId, ben);
  const topic = `project:${projectId}`;
  const live = await listen(ben.session, `${topic},run:${runId}@0`);
  await newTask(anna, projectId, "Seen");
  await live.until(() => JSON.stringify(live.told).includes("Seen"));
  expect((await leave(anna, projectId, ben)).status).toBe(200);
  await live.until(() => live.said("gone", topic));
  await newTask(anna, projectId, "Unseen");
  await steer(ben, runId);
  await live.until(() => live.of(`run:${runId}`).length === 1);
  const beats = live.told.length;
  await live.until(() => live.told.slice(beats).some(({ event }) => event === "alive"));
  expect(JSON.stringify(live.told)).not.toContain("Unseen");
  expect(live.told.filter(({ event }) => event === "gone").length).toBe(1);
  await live.close();
});

test("a run that is deleted is gone, and the rest goes on", async () => {
  const anna = await app.signUp("anna");
  const [gone, kept] = [await newRun(anna), await newRun(anna)];
  const live = await listen(anna.session, `run:${gone}@0,run:${kept}@0`);
  await app.admin.query("delete from homework.homework_runs where id = $1", [gone]);
  await live.until(() => live.said("gone", `run:${gone}`));
  await steer(anna, kept);
  await live.until(() => live.of(`run:${kept}`).length === 1);
  await live.close();
});

test("a stream whose topics are all gone stays open, so that nobody comes back again and again", async () => {
  const anna = await app.signUp("anna");
  const live = await listen(anna.session, "run:00000000-0000-4000-8000-000000000000");
  await live.until(() => live.told.filter(({ event }) => event === "alive").length > 2);
  expect(live.state.hasEnded).toBe(false);
  await live.close();
});

test("it ends when the session ends, and with the key that it was opened with", async () => {
  const anna = await app.signUp("anna");
  const session = await app.newSession(anna.id);
  const live = await listen(session, "feed");
  await app.call("POST", "/api/auth/sign-out", session);
  await live.until(() => live.state.hasEnded);
  const key = await app.newKey(anna.id, ["read"]);
  const byKey = await listen(key, "feed");
  await app.admin.query("delete from homework.auth_api_keys where reference_id = $1", [anna.id]);
  await byKey.until(() => byKey.state.hasEnded);
});

test("a long backlog of one topic does not keep another waiting, and eight of them are all told", async () => {
  const anna = await app.signUp("anna");
  const made = await Promise.all(Array.from({ length: 8 }, () => newRun(anna)));
  const [busy = "", ...others] = made;
  await app.admin.query(
    `insert into homework.homework_run_events (run_id, seq, type, event)
     select $1, n, 'run_steered', '{"type": "run_steered", "message": "hello"}' from generate_series(1, 3000) n`,
    [busy],
  );
  await app.admin.query("update homework.homework_runs set last_seq = 3000 where id = $1", [busy]);
  for (const runId of others) await steer(anna, runId);
  const live = await listen(anna.session, made.map((runId) => `run:${runId}@0`).join());
  await live.until(() => live.of(`run:${busy}`).length === 3_000);
  expect(live.of(`run:${busy}`)).toEqual(Array.from({ length: 3_000 }, (_, n) => n + 1));
  const numbered = live.told.filter(({ id }) => id !== null);
  const lastOther = numbered.findLastIndex(({ topic }) => topic !== `run:${busy}`);
  expect(others.map((runId) => live.of(`run:${runId}`))).toEqual(others.map(() => [1]));
  expect(lastOther).toBeLessThan(400);
  await live.close();
});

test("another's conversation is not touched by someone who asks for it", async () => {
  const [anna, ben] = [await app.signUp("anna"), await app.signUp("ben")];
  const chatId = await insertOpenAnswer(app.admin, anna.id, 600);
  const live = await listen(ben.session, `chat:${chatId}@0`);
  await live.until(() => live.said("gone", `chat:${chatId}`));
  const { rows } = await app.admin.query("select state from homework.chat_messages where session_id = $1 and seq = 2", [
    chatId,
  ]);
  expect(rows[0]?.state).toBe("streaming");
  await live.close();
});

const carla = await app.signUp("carla");
const id = "00000000-0000-4000-8000-000000000000";
test.for([
  "",
  "everything",
  "user:x",
  `user:${id}`,
  `feed:${id}`,
  "run:",
  "run:1",
  `run:${id}@`,
  `run:${id}@-1`,
  `run:${id}@1.5`,
  `run:${id}@1e3`,
  `run:${id}@9999999999999999`,
  `run:${id.toUpperCase().replace("8000", "ABCD")}`,
  `run:${id},`,
  `feed,,run:${id}`,
  "feed feed",
  "feed%0aevent: x",
  "feed,feed",
  "feed@1,feed@2",
  Array.from({ length: 9 }, (_, n) => `run:${id.slice(0, -1)}${n}`).join(),
])("refuses what is no list of topics: %s", async (topics) => {
  const { status, body } = await app.call("GET", `/api/live?topics=${topics}`, carla.session);
  expect([status, body.error.code]).toEqual([400, "invalid_request"]);
});

test("without topics there is nothing to follow", async () => {
  expect((await app.call("GET", "/api/live", carla.session)).status).toBe(400);
});

test("a stream of several topics is one stream of its user's", async () => {
  const anna = await app.signUp("anna");
  const open = await Promise.all(Array.from({ length: streamLimits.perUser }, () => listen(anna.session, "feed")));
  const { status, body } = await app.call("GET", "/api/live?topics=feed", anna.session);
  expect([status, body.error.code]).toEqual([429, "too_many_streams"]);
  await Promise.all(open.map((live) => live.close()));
});
