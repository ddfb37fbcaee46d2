import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type AgentCli, makeAgentCli } from "../../../test/helpers/agent-cli.ts";
import { makeRun, makeTask, removeFolders, variablesOf } from "../../../test/helpers/runner-root.ts";
import { openBus } from "../../runner/bus/bus.ts";
import { inJob } from "../../runner/job/job-files.ts";
import { inTask, type RunFolder, type TaskFolder } from "../../runner/layout/runner-root.ts";

afterAll(removeFolders);

let cli: AgentCli;
let task: TaskFolder;
beforeEach(() => {
  cli = makeAgentCli();
  task = makeTask(cli.root);
});

const messages = async (args: readonly string[] = ["-t", task.taskId]) =>
  JSON.parse((await cli.run(["bus", "read", "--json", ...args])).out).messages;

describe("post", () => {
  test("prints the id alone, and the message is on the bus", async () => {
    const { code, out, words } = await cli.run(["bus", "post", "-p", "garden", "-t", task.taskId, "Hello", "there"]);
    expect({ code, words }).toEqual({ code: 0, words: "" });
    expect(out).toMatch(/^MSG-\S+\n$/);
    expect(await messages()).toMatchObject([{ msg_id: out.trim(), type: "USER", body: "Hello there" }]);
  });

  test("takes the message from stdin, from a file and from --message", async () => {
    writeFileSync(path.join(cli.home, "note.md"), "from a file\n");
    await cli.run(["bus", "post", "-t", "water"], { input: "from stdin\n" });
    await cli.run(["bus", "post", "-t", "water", "--file", "note.md"]);
    await cli.run(["bus", "post", "-t", "water", "--message", "from an option"]);
    expect((await messages()).map(({ body }: { body: string }) => body)).toEqual([
      "from stdin\n",
      "from a file\n",
      "from an option",
    ]);
  });

  test("an answer names what it answers", async () => {
    const { out } = await cli.run(["bus", "post", "-t", "water", "--type", "question", "Which tap?"]);
    await cli.run(["bus", "post", "-t", "water", "--type", "ANSWER", "--parents", out.trim(), "The left one"]);
    expect(await messages()).toMatchObject([
      { type: "QUESTION" },
      { type: "ANSWER", parents: [{ msg_id: out.trim(), kind: "reply" }] },
    ]);
  });

  test.each([
    ["an empty message", [""], "Give a message"],
    ["a type of the runner", ["--type", "STOP", "x"], "STOP messages are posted by run-agent itself"],
    ["a type that is none", ["--type", "a b", "x"], "is not a type of message"],
    ["a run id that is none", ["--run", "../x", "x"], "is not a valid run id"],
    ["a message given twice", ["--file", "x", "y"], "either as arguments or as a file"],
  ])("%s is refused", async (_, args, words) => {
    const ran = await cli.run(["bus", "post", "-t", "water", ...args]);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.words).toContain(words);
    expect(await messages()).toEqual([]);
  });

  test.each<[string, (run: RunFolder) => Readonly<Record<string, string>>, readonly string[], string]>([
    ["one whose id is missing", (run) => ({ ...variablesOf(run), JRUN_ID: "" }), [], "JRUN_ID is missing or damaged"],
    ["one that speaks as a person", variablesOf, ["--type", "USER"], "USER messages are words of people"],
    ["one that asks as a person", variablesOf, ["--type", "user_request"], "USER_REQUEST messages are words of people"],
    ["one that speaks for another run", variablesOf, ["--run", "20261116-1500000000-1"], "speaks for itself alone"],
    ["a loop in the background", () => ({ RUN_AGENT_SHIM: "loop" }), [], "says nothing by command"],
  ])("%s is refused, and nothing is posted", async (_, environment, args, words) => {
    const run = makeRun(cli.root, task);
    const ran = await cli.run(["bus", "post", "-t", "water", ...args, "Go on"], { environment: environment(run) });
    expect(ran.code).not.toBe(0);
    expect(ran.words).toContain(words);
    expect(await messages()).toEqual([]);
  });

  test("an agent speaks for itself, and keeps with a question which run may answer it", async () => {
    const parent = makeRun(cli.root, task);
    const run = makeRun(cli.root, task, { parent_run_id: parent.runId });
    const other = makeTask(cli.root);
    const post = (...args: readonly string[]) => cli.run(["bus", "post", ...args], { environment: variablesOf(run) });
    await post("--type", "QUESTION", "--run", run.runId, "Which tap?");
    await post("-t", other.taskId, "--type", "ANSWER", "The left one");
    expect(await messages()).toMatchObject([
      { type: "QUESTION", run_id: run.runId, meta: { parent_run: parent.runId } },
    ]);
    expect(await messages(["-t", other.taskId])).toMatchObject([{ run_id: "", meta: { from_run: run.runId } }]);
  });

  test("a project or a task that is not there is not made", async () => {
    expect((await cli.run(["bus", "post", "-p", "gardn", "x"])).words).toContain("Did you mean garden?");
    expect((await cli.run(["bus", "post", "-p", "garden", "-t", "fire", "x"])).code).toBe(3);
    expect(cli.root.disk.list(cli.root.folder)).toEqual(["garden"]);
  });
});

describe("which bus is meant", () => {
  const own = () => {
    const run = makeRun(cli.root, task);
    return { run, environment: variablesOf(run) };
  };
  const post = async (over: Parameters<AgentCli["run"]>[1], ...args: readonly string[]) => {
    const { out } = await cli.run(["bus", "post", "--json", "x", ...args], over);
    const { task_id, run_id } = JSON.parse(out);
    return { task_id, run_id };
  };

  test("the one of the run that posts, with its id", async () => {
    const { run, environment } = own();
    expect(await post({ environment })).toEqual({ task_id: task.taskId, run_id: run.runId });
  });

  test("the one of the folder, also in a root of another place", async () => {
    const elsewhere = makeAgentCli();
    const other = makeTask(elsewhere.root);
    const run = makeRun(elsewhere.root, other);
    expect(await post({ workingFolder: run.path })).toEqual({ task_id: other.taskId, run_id: "" });
  });

  test("the project's in its folder, and in its home", async () => {
    const home = path.join(cli.home, "src", "garden");
    mkdirSync(path.join(home, "deep"), { recursive: true });
    writeFileSync(path.join(cli.root.folder, "garden", "home-folders.md"), `project_root: ${home}\n`);
    expect(await post({ workingFolder: path.join(cli.root.folder, "garden") })).toMatchObject({ task_id: "" });
    expect(await post({ workingFolder: path.join(home, "deep") })).toMatchObject({ task_id: "" });
    expect(await messages(["-p", "garden"])).toHaveLength(2);
  });

  test("the one that is named, before all others", async () => {
    const other = makeTask(cli.root);
    const { environment } = own();
    expect(await post({ environment }, "-t", other.taskId)).toEqual({ task_id: other.taskId, run_id: "" });
    expect(await post({ environment }, "--scope", "project")).toMatchObject({ task_id: "" });
  });
});

const post = async (type: string, body: string) => (await openBus(cli.root, task).post({ type, body })).msg_id;

describe("poll", () => {
  const poll = async (...args: readonly string[]) =>
    JSON.parse((await cli.run(["bus", "poll", "-t", "water", "--json", ...args])).out).messages.map(
      ({ body }: { body: string }) => body,
    );

  test("what is there, after a message, after a time, by type and by words", async () => {
    const first = await post("INFO", "one");
    await post("FACT", "two");
    await post("QUESTION", "three?");
    expect(await poll()).toEqual(["one", "two", "three?"]);
    expect(await poll("--since-id", first)).toEqual(["two", "three?"]);
    expect(await poll("--since", "2001-01-01T00:00:00Z", "--filter", "fact,q*")).toEqual(["two", "three?"]);
    expect(await poll("--filter", "^QUESTION: .*\\?$")).toEqual(["three?"]);
  });

  test("nothing is an empty answer and a word", async () => {
    expect(await cli.run(["bus", "poll", "-t", "water"])).toEqual({ code: 0, out: "", words: "No messages.\n" });
  });

  test("waits for the first one that fits", async () => {
    const waiting = poll("--wait", "--filter", "ANSWER");
    await post("INFO", "not this");
    await post("ANSWER", "this");
    expect(await waiting).toEqual(["this"]);
  });

  test("gives up after the timeout", async () => {
    const ran = await cli.run(["bus", "poll", "-t", "water", "--wait", "--timeout", "20ms"]);
    expect(ran).toEqual({ code: 1, out: "", words: "No message came in time.\n" });
  });

  test("gives up when the user does", async () => {
    const ran = await cli.run(["bus", "poll", "-t", "water", "--wait"], { stop: AbortSignal.timeout(20) });
    expect(ran.code).toBe(130);
  });

  test("a message that is not there is told", async () => {
    const ran = await cli.run(["bus", "poll", "-t", "water", "--since-id", "MSG-x"]);
    expect(ran).toMatchObject({ code: 2, words: expect.stringContaining('No message "MSG-x" is on this bus') });
  });

  test("what is torn is skipped and told", async () => {
    await post("INFO", "one");
    appendFileSync(inTask(task, "bus"), "---\nmsg_id: MSG-torn\n");
    await post("INFO", "two");
    const ran = await cli.run(["bus", "poll", "-t", "water"]);
    expect(ran.out.match(/^ {2}\S+$/gm)).toEqual(["  one", "  two"]);
    expect(ran.words).toMatch(/^Skipped \d+ bytes of the bus at byte \d+: /);
  });
});

describe("poll in an agent's run", () => {
  let environment: Readonly<Record<string, string>>;
  let marks: string;
  beforeEach(() => {
    const run = makeRun(cli.root, task);
    environment = variablesOf(run);
    marks = inJob(run, "busSeen");
  });
  const own = async (...args: readonly string[]) => {
    const { out, code } = await cli.run(["bus", ...args, "--json"], { environment });
    return [code, ...JSON.parse(out).messages.map(({ body }: { body: string }) => body)];
  };
  const pollOwn = (filter: string, ...args: readonly string[]) => own("poll", "--filter", filter, ...args);

  test("each message is printed once for each filter", async () => {
    await post("INFO", "old");
    const first = await post("FACT", "one");
    expect(await pollOwn("FACT")).toEqual([0, "one"]);
    expect(await pollOwn("FACT")).toEqual([0]);
    await post("FACT", "two");
    expect(await pollOwn("FACT,INFO")).toEqual([0, "two"]);
    expect(await pollOwn("FACT")).toEqual([0, "two"]);
    expect(await pollOwn("FACT", "--since-id", first)).toEqual([0, "two"]);
  });

  test("what was read is not polled again, and an old message ends no wait", async () => {
    await post("CHILD_DONE", "of an earlier start");
    expect(await own("read")).toEqual([0, "of an earlier start"]);
    expect(await pollOwn("CHILD_DONE", "--wait", "--timeout", "20ms")).toEqual([1]);
    const waiting = pollOwn("CHILD_DONE", "--wait");
    await post("CHILD_DONE", "new");
    expect(await waiting).toEqual([0, "new"]);
    expect(await pollOwn("CHILD_DONE", "--wait", "--timeout", "20ms")).toEqual([1]);
  });

  test("a message of the user that a filter left out stays unread, also after the next poll with that filter", async () => {
    await post("CHILD_DONE", "first");
    await own("read");
    const before = readFileSync(marks, "utf8");
    const said = await post("USER", "Stop it");
    await post("CHILD_DONE", "second");
    expect(await pollOwn("CHILD_DONE")).toEqual([0, "second"]);
    await post("CHILD_DONE", "third");
    expect(await pollOwn("CHILD_DONE")).toEqual([0, "third"]);
    expect(readFileSync(marks, "utf8")).toBe(before);
    expect(await pollOwn("USER")).toEqual([0, "Stop it"]);
    expect(readFileSync(marks, "utf8")).not.toBe(before);
    expect(said).toMatch(/^MSG-/);
  });

  test("a message of the user that was too old for --tail stays unread", async () => {
    await post("USER", "Use the old road");
    await post("FACT", "one");
    await post("FACT", "two");
    expect(await own("read", "--tail", "1")).toEqual([0, "two"]);
    expect(existsSync(marks)).toBe(false);
    expect(await own("read", "--tail", "3")).toEqual([0, "Use the old road", "one", "two"]);
    expect(readFileSync(marks, "utf8")).toContain("MSG-");
  });

  test("a mark whose message is gone begins anew", async () => {
    await post("FACT", "one");
    await pollOwn("FACT");
    writeFileSync(inTask(task, "bus"), "");
    await post("FACT", "two");
    expect(await pollOwn("FACT")).toEqual([0, "two"]);
  });
});

test("stream prints what comes, and ends well when the user has enough", async () => {
  const enough = new AbortController();
  let out = "";
  const streaming = cli.run(["bus", "stream", "-t", "water", "--json"], {
    stop: enough.signal,
    terminal: {
      out: (text) => {
        out += text;
        if (out.split("\n").length > 2) enough.abort();
      },
    },
  });
  // Whatever is posted before the stream has begun is not part of it.
  const posting = setInterval(() => void cli.run(["bus", "post", "-t", "water", "tick"]), 20);
  const { code } = await streaming;
  clearInterval(posting);
  expect(code).toBe(0);
  expect(JSON.parse(out.split("\n")[0] ?? "")).toMatchObject({ body: "tick" });
});

test("read shows the last ones and goes on with --follow", async () => {
  for (const body of ["one", "two", "three"]) await cli.run(["bus", "post", "-t", "water", body]);
  const tail = await cli.run(["bus", "read", "-t", "water", "--tail", "2"]);
  expect(tail.out.match(/^ {2}\S+$/gm)).toEqual(["  two", "  three"]);
  const following = await cli.run(["bus", "read", "-t", "water", "--tail", "1", "--follow"], {
    stop: AbortSignal.timeout(50),
  });
  expect(following).toMatchObject({ code: 0, out: expect.stringMatching(/three\n$/) });
});

test("a message cannot steer the terminal", async () => {
  await cli.run(["bus", "post", "-t", "water", "--", "\u001b[2Jx"]);
  expect((await cli.run(["bus", "read", "-t", "water"])).out).not.toContain("\u001b");
});

test("discover says which bus a folder has", async () => {
  await cli.run(["bus", "post", "-t", "water", "x"]);
  expect(await cli.run(["bus", "discover", "--from", task.path])).toMatchObject({ out: `${inTask(task, "bus")}\n` });
  expect((await cli.run(["bus", "discover", "--from", "/"])).code).toBe(3);
});
