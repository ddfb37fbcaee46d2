// Live streams of `run-agent serve`, and what keeps strangers out of it.

import { appendFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openBus } from "../../src/runner/bus/bus.ts";
import { fillTask } from "../helpers/agent-desks.ts";
import { at, openAgentsApp as open, taskAt } from "../helpers/agents-app.ts";
import { makeRoot, removeFolders } from "../helpers/runner-root.ts";

afterAll(removeFolders);

/** Events of a stream until one satisfies. */
async function readEvents(response: Response, isLast: (event: { name: string; data: string }) => boolean) {
  const events: { name: string; data: string; id: string }[] = [];
  let text = "";
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) return events;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
      if (field("event") === "") continue;
      const event = { name: field("event"), data: field("data"), id: field("id") };
      events.push(event);
      if (isLast(event)) {
        await reader?.cancel();
        return events;
      }
    }
  }
}

test("the stream of a task tells lines and messages, and goes on from its cursor", async () => {
  const { root, send } = open();
  const ids = fillTask(root, "garden");
  const task = taskAt(root, ids);
  const file = path.join(task.path, "runs", ids.run, "agent-stdout.txt");
  const url = `${at(ids)}/stream?run_id=${ids.run}&stdout=0&stderr=0`;
  const first = await send("GET", url);
  expect(first.headers.get("content-type")).toContain("text/event-stream");
  const heard = await readEvents(first, ({ name }) => name === "log");
  const log = heard.find(({ name }) => name === "log");
  expect(JSON.parse(log?.data ?? "").page.lines.map(({ text }: { text: string }) => text)).toEqual(["first", "second"]);
  expect(log?.id).toContain("s=13");
  appendFileSync(file, "third\n");
  const posted = await openBus(root, task).post({ type: "INFO", body: "Half done" });
  const cursor = `m=${ids.questionId};s=13;e=0`;
  const second = await send("GET", url, undefined, { "last-event-id": cursor });
  const seen: string[] = [];
  const more = await readEvents(second, ({ name }) => {
    seen.push(name);
    return seen.includes("log") && seen.includes("bus_message");
  });
  const lines = more.flatMap(({ name, data }) => (name === "log" ? JSON.parse(data).page.lines : []));
  expect(lines.map(({ text }: { text: string }) => text)).toEqual(["third"]);
  const messages = more.filter(({ name }) => name === "bus_message").map(({ data }) => JSON.parse(data).msg_id);
  expect(messages).toEqual([posted.msg_id]);
});

test("a log that was written anew begins again", async () => {
  const { root, send } = open();
  const ids = fillTask(root, "garden");
  const url = `${at(ids)}/stream?run_id=${ids.run}&stdout=5000&stderr=0`;
  const events = await readEvents(await send("GET", url), ({ name }) => name === "log");
  expect(events.map(({ name }) => name)).toContain("log_restart");
});

test("a stream after a message that is not there is refused", async () => {
  const { root, send } = open();
  const ids = fillTask(root, "garden");
  expect((await send("GET", `${at(ids)}/bus/stream?since=MSG-none`)).status).toBe(400);
});

test("names of other hosts, origins of other pages and forms are refused", async () => {
  const { root, call, get, send } = open();
  const ids = fillTask(root, "garden");
  const body = { message: "x" };
  expect((await call("GET", "/api/agents", undefined, { host: "evil.example" })).status).toBe(421);
  expect((await call("POST", `${at(ids)}/bus`, body, { origin: "http://evil.example" })).status).toBe(403);
  expect((await call("POST", `${at(ids)}/bus`, body, { "content-type": "text/plain" })).status).toBe(415);
  expect((await get(`${at(ids)}/bus`)).body.items).toHaveLength(1);
  expect((await send("GET", "/agents")).headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("with a token, nothing is told without it", async () => {
  const { root, call, send } = open(makeRoot(), "the-right-token");
  const ids = fillTask(root, "garden");
  const url = `${at(ids)}`;
  expect((await call("GET", url)).status).toBe(401);
  expect((await call("GET", url, undefined, { authorization: "Bearer wrong" })).status).toBe(401);
  expect((await call("GET", url, undefined, { authorization: "Bearer the-right-token" })).status).toBe(200);
  expect((await send("GET", `${at(ids)}/stream`)).status).toBe(401);
  const opened = await send("GET", "/?token=the-right-token");
  expect([opened.status, opened.headers.get("location")]).toEqual([302, "/"]);
  const cookie = opened.headers.getSetCookie()[0] ?? "";
  expect(cookie).toMatch(/HttpOnly.*SameSite=Strict/);
  expect((await call("GET", url, undefined, { cookie: cookie.split(";")[0] ?? "" })).status).toBe(200);
  expect(await (await send("GET", "/agents")).text()).not.toContain("the-right-token");
});
