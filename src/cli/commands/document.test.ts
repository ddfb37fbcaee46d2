import { describe, expect, test } from "vitest";
import {
  type Answers,
  answering,
  errorAnswer,
  makeProject,
  makeTask,
  runInTest,
} from "../../../test/helpers/cli-host.ts";

const project = makeProject();
const base = `/api/projects/${project.id}`;
const makeDocument = (id: string, title: string, parent_id: string | null = null) =>
  makeTask({ id: `0198c2b7-0000-7000-8000-00000000000${id}`, kind: "document", title, parent_id });
const plan = makeDocument("1", "Plan");

const usual: Answers = {
  "GET /api/projects": () => ({ items: [project], next_cursor: null }),
  [`GET ${base}/documents/${plan.id}`]: () => ({ ...plan, content: "# Plan\n\u001b[2Jdone" }),
};

const run = (args: readonly string[], answers: Answers = {}, terminal = {}) => {
  const { services } = answering({ ...usual, ...answers });
  return runInTest(["doc", ...args], { services, terminal });
};

describe("doc show prints the markdown", () => {
  test("exactly as it is where it is not a terminal", async () => {
    const ran = await run(["show", plan.id]);
    expect(ran).toEqual({ code: 0, out: "# Plan\n\u001b[2Jdone\n", words: "Plan, version 7\n" });
  });

  test("without what could steer a terminal", async () => {
    const ran = await run(["show", plan.id], {}, { columns: 80 });
    expect(ran.out).toBe("# Plan\n\ufffd[2Jdone\n");
  });
});

test("doc tree shows children below their parents and orphans at the top", async () => {
  const notes = makeDocument("2", "Notes", plan.id);
  const items = [plan, notes, makeDocument("3", "Day one", notes.id), makeDocument("4", "Tiles", plan.id)];
  const lost = makeDocument("5", "Lost", "0198c2b7-0000-7000-8000-0000000000ff");
  const ran = await run(["tree"], {
    [`GET ${base}/document-tree`]: () => ({ items: [...items, lost], truncated: false }),
  });
  expect(ran.out.replaceAll(/ {2}0198\S+/g, "")).toBe("Plan\n├─ Notes\n│  └─ Day one\n└─ Tiles\nLost\n");
});

test.each([
  [["list"], "false"],
  [["list", "--all"], "true"],
  [["tree"], "false"],
  [["tree", "--all"], "true"],
])("doc %j asks for working notes only with --all", async (args, asked) => {
  const queries: (string | undefined)[] = [];
  const answer = ({ query }: { query: Readonly<Record<string, string>> }) => {
    queries.push(query.include_working_notes);
    return { items: [], next_cursor: null, truncated: false };
  };
  await run(args, { [`GET ${base}/documents`]: answer, [`GET ${base}/document-tree`]: answer });
  expect(queries).toEqual([asked]);
});

test.each([
  [[], "false"],
  [["--all"], "true"],
])("search %j asks for working notes only with --all", async (flags, asked) => {
  const queries: (string | undefined)[] = [];
  const { services } = answering({
    "GET /api/search": ({ query }) => {
      queries.push(query.include_working_notes);
      return { items: [] };
    },
  });
  await runInTest(["search", "tiles", ...flags], { services });
  expect(queries).toEqual([asked]);
});

test("a working note is found by the start of its id", async () => {
  const list = ({ query }: { query: Readonly<Record<string, string>> }) => ({
    items: query.include_working_notes === "true" ? [plan] : [],
    next_cursor: null,
  });
  expect((await run(["show", plan.id.slice(0, 10)], { [`GET ${base}/documents`]: list })).out).toContain("# Plan");
});

describe("doc move", () => {
  test("to the top sends no parent", async () => {
    const bodies: unknown[] = [];
    const move = ({ body }: { body: unknown }) => {
      bodies.push(body);
      return plan;
    };
    expect((await run(["move", plan.id, "--top"], { [`POST ${base}/documents/${plan.id}/move`]: move })).code).toBe(0);
    expect(bodies).toEqual([{ parent_id: null }]);
  });

  test("has to know where to", async () => {
    expect((await run(["move", plan.id])).code).toBe(2);
    expect((await run(["move", plan.id, "--top", "--parent", plan.id])).code).toBe(2);
  });
});

test.for([
  { args: ["--foreign"], props: { homework: { source: "web" } } },
  { args: [], props: undefined },
])("doc create $args marks the text as someone else's, or not", async ({ args, props }) => {
  const sent: unknown[] = [];
  await run(["create", "Letter", "--content", "Dear all", ...args], {
    [`POST ${base}/documents`]: ({ body }) => {
      sent.push(body);
      return plan;
    },
  });
  expect(sent).toEqual([{ title: "Letter", content: "Dear all", ...(props ? { props } : {}) }]);
});

describe("doc update replaces a text only in the version that was edited", () => {
  const one = `${base}/documents/${plan.id}`;
  const there = { ...plan, version: 7, content: "Tiles\nAsk Ben" };
  const update = async (args: readonly string[], answers: Answers = {}) => {
    const sent: unknown[] = [];
    const ran = await run(["update", plan.id, ...args], {
      [`GET ${one}`]: () => there,
      [`PATCH ${one}`]: ({ body }) => {
        sent.push(body);
        return there;
      },
      ...answers,
    });
    return { ...ran, sent };
  };

  test("without a version it is refused, and says which one is there", async () => {
    const { code, words, sent } = await update(["--content", "Mine"]);
    expect([code, sent]).toEqual([2, []]);
    expect(words).toContain("--if-version 7");
  });

  test.each([
    [["--content", "Mine", "--if-version", "7"], { content: "Mine", version: 7 }],
    [["--content", "Mine", "--overwrite"], { content: "Mine", version: 7 }],
    [["--state", "published"], { state_key: "published", version: 7 }],
  ])("%j is sent", async (args, body) => {
    expect(await update(args)).toMatchObject({ code: 0, sent: [body] });
  });

  test("an empty one takes a text", async () => {
    const empty = { [`GET ${one}`]: () => ({ ...there, content: "" }) };
    expect(await update(["--content", "Mine"], empty)).toMatchObject({
      code: 0,
      sent: [{ content: "Mine", version: 7 }],
    });
  });

  test("one that was changed since is refused with what changed", async () => {
    const change = { before: { version: 6, content: "Tiles\nAsk Ana" } };
    const ran = await update(["--content", "Mine", "--if-version", "6"], {
      [`PATCH ${one}`]: () => errorAnswer(409, "stale_version", "It has changed since"),
      [`GET /api/projects/${project.id}/changes`]: () => ({ items: [change], next_cursor: null }),
    });
    expect(ran.code).toBe(5);
    expect(ran.words).toContain("Changed since version 6; it is at version 7:\n  Tiles\n- Ask Ana\n+ Ask Ben");
  });
});
