import { afterEach, expect, test } from "vitest";
import { until } from "../../../test/agents/job-world.ts";
import { makeRoot, makeTask, removeFolders } from "../../../test/helpers/runner-root.ts";
import { openBus } from "../bus/bus.ts";
import { readBus } from "../bus/read-bus.ts";
import { toIso } from "../layout/timestamps.ts";
import { openBusLine } from "./bus-line.ts";

const over: AbortController[] = [];
afterEach(() => {
  for (const each of over.splice(0)) each.abort();
  removeFolders();
});

function makeLine(runId = "20261116-1200000000-1", isRoot = true, root = makeRoot(), task = makeTask(root)) {
  const end = new AbortController();
  over.push(end);
  const bus = openBus(root, task);
  const line = openBusLine(bus, {
    runId,
    isRoot,
    since: toIso(root.nanos() - 60_000_000_000n),
    signal: end.signal,
    log: () => {},
    heard: () => {},
  });
  const types = () => readBus(bus).entries.map(({ type }) => type);
  const ask = (key = "k", signal = end.signal) => line.ask({ body: "May I?", key }, signal);
  return { root, task, bus, line, types, ask, runId };
}

test("one question at a time is open, and each gets its own answer", async () => {
  const { bus, ask, types } = makeLine();
  const answers = [ask("a"), ask("b")];
  for (const body of ["yes", "no"]) {
    const open = () => types().filter((type) => type === "QUESTION").length;
    const asked = body === "yes" ? 1 : 2;
    await until("a question", () => open() === asked);
    const [question] = readBus(bus)
      .entries.filter(({ type }) => type === "QUESTION")
      .slice(-1);
    await bus.post({ type: "ANSWER", body, parents: [question?.msg_id ?? ""] });
  }
  expect(await Promise.all(answers)).toEqual(["yes", "no"]);
});

test("a question that is no longer wanted is given up", async () => {
  const { ask, types } = makeLine();
  const stop = new AbortController();
  const answer = ask("k", stop.signal);
  await until("a question", () => types().includes("QUESTION"));
  stop.abort(new Error("stopped"));
  await expect(answer).rejects.toThrow("stopped");
});

test("an answer that came after its run had ended is used by the next run, once", async () => {
  const first = makeLine();
  first.ask().catch(() => {});
  await until("a question", () => first.types().includes("QUESTION"));
  const question = readBus(first.bus).entries.at(-1)?.msg_id ?? "";
  await first.bus.post({ type: "CRASH", body: "gone", run_id: first.runId });
  await first.bus.post({ type: "ANSWER", body: "yes", parents: [question] });
  const next = makeLine("20261116-1300000000-1", true, first.root, first.task);
  expect(await next.ask()).toBe("yes");
  const third = makeLine("20261116-1400000000-1", true, first.root, first.task);
  third.ask().catch(() => {});
  await until("a second question", () => third.types().filter((type) => type === "QUESTION").length === 2);
});

test.each([
  [true, ["Hello."]],
  [false, []],
])("words without an address are for the root: %j", async (isRoot, expected) => {
  const { bus, line, runId } = makeLine(undefined, isRoot);
  await bus.post({ type: "USER", body: "Hello." });
  await bus.post({ type: "USER", body: "of the agent itself", run_id: runId });
  const own = await bus.post({ type: "INFO", body: "mine", run_id: runId });
  const others = await bus.post({ type: "QUESTION", body: "theirs", run_id: "20261116-1500000000-1" });
  await bus.post({ type: "ANSWER", body: "to them", parents: [others.msg_id] });
  await bus.post({ type: "USER", body: "A reply.", parents: [own.msg_id] });
  const heard: string[] = [];
  await until("the reply", () => {
    heard.push(...line.takeMessages());
    return heard.includes("A reply.");
  });
  expect(heard).toEqual([...expected, "A reply."]);
});
