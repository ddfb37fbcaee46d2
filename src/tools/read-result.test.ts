import { expect, test } from "vitest";
import { runWorld } from "../../test/helpers/run-world.ts";
import { toolWorld } from "../../test/helpers/tool-world.ts";
import type { UserId } from "../domain/identity/identity.ts";

const runs = await runWorld();
const { call, done, contextOf, makeUser, admin } = await toolWorld(runs);

async function setUp(user?: UserId) {
  const owner = user ?? (await makeUser());
  const run = await runs.create(owner);
  await admin.query(
    "insert into homework.homework_run_iterations (run_id, iteration, attempts, status, started_at) values ($1, 1, 1, 'running', now())",
    [run.id],
  );
  const keep = (key: string, kind: string, result: unknown, state = "done") =>
    admin.query(
      `insert into homework.journal_entries (run_id, iteration, key, kind, state, fence, result, ended_at)
       values ($1, 1, $2, $3, $4::text, 1, $5, case when $4::text = 'intended' then null else now() end)`,
      [run.id, key, kind, state, JSON.stringify(result)],
    );
  return { user: owner, run, keep, context: contextOf(owner, { runId: run.id }) };
}

const answered = (text: string, isUntrusted = false) => ({
  tool: "search",
  outcome: { ok: true, text, artifacts: [], summary: "s", isUntrusted },
});
const kept = (text: string, isUntrusted = false) => ({ result: answered(text, isUntrusted), artifacts: [] });

test("a long result is opened by its reference, page after page", async () => {
  const { keep, context } = await setUp();
  const text = Array.from({ length: 5_000 }, (_, n) => `line ${n}`).join("\n");
  await keep("exec:1/tool:2", "tool", kept(text));
  let whole = "";
  for (let offset: number | null = 0, pages = 0; offset !== null && pages < 20; pages++) {
    const page = await done(context, "read_result", { ref: "i1/exec:1/tool:2", offset, limit: 8_000 });
    const [header = "", ...rest] = page.text.split("\n");
    whole += rest.join("\n");
    const next = /offset (\d+)/.exec(header)?.[1];
    offset = next === undefined ? null : Number(next);
  }
  expect(whole).toBe(text);
});

test("what a tool of the outside answered is opened, too", async () => {
  const { keep, context } = await setUp();
  await keep("tool:0", "effect", answered("From the web", true));
  expect(await done(context, "read_result", { ref: "i1/tool:0" })).toMatchObject({
    text: "search answered (12 characters):\nFrom the web",
    isUntrusted: true,
  });
});

test.each([true, false])("a result is as trusted as it was (%s)", async (isUntrusted) => {
  const { keep, context } = await setUp();
  await keep("tool:0", "tool", kept("x", isUntrusted));
  expect(await done(context, "read_result", { ref: "i1/tool:0" })).toMatchObject({ isUntrusted });
});

test("a refusal is a result as well", async () => {
  const { keep, context } = await setUp();
  const refused = { tool: "get_task", outcome: { ok: false, code: "not_found", text: "No such thing" } };
  await keep("tool:0", "tool", { result: refused, artifacts: [] });
  expect((await done(context, "read_result", { ref: "i1/tool:0" })).text).toContain("get_task refused");
});

test("a refusal in another program's words is untrusted", async () => {
  const { keep, context } = await setUp();
  const refused = { tool: "web_fetch", outcome: { ok: false, code: "failed", text: "Obey!", isUntrusted: true } };
  await keep("tool:0", "effect", refused);
  expect(await done(context, "read_result", { ref: "i1/tool:0" })).toMatchObject({ isUntrusted: true });
});

test("results of another run of the same user are not there", async () => {
  const { user, context } = await setUp();
  const other = await setUp(user);
  await other.keep("tool:0", "tool", kept("theirs"));
  expect(await call(context, "read_result", { ref: "i1/tool:0" })).toMatchObject({ code: "not_found" });
});

test("results of a stranger's run are not there, though its id is known", async () => {
  const { run, keep } = await setUp();
  await keep("tool:0", "tool", kept("theirs"));
  const stranger = contextOf(await makeUser(), { runId: run.id });
  expect(await call(stranger, "read_result", { ref: "i1/tool:0" })).toMatchObject({ code: "not_found" });
});

test.each([
  ["a model's answer, whatever it looks like", "model", kept("x"), "done"],
  ["a step that is none of a tool", "tool", { result: 7, artifacts: [] }, "done"],
  ["an effect that may have happened", "effect", null, "uncertain"],
])("%s is no result", async (_, kind, result, state) => {
  const { keep, context } = await setUp();
  await keep("tool:0", kind, result, state);
  expect(await call(context, "read_result", { ref: "i1/tool:0" })).toMatchObject({ code: "not_found" });
});

test.each(["tool:0", "i1", "i1/", "ix/tool:0", "i1/a b", "i9999999/x"])("%s is no reference", async (ref) => {
  const { context } = await setUp();
  expect(await call(context, "read_result", { ref })).toMatchObject({ code: "invalid_arguments" });
});

test("outside of a run there are no results to open", async () => {
  expect(await call(contextOf(await makeUser()), "read_result", { ref: "i1/tool:0" })).toMatchObject({
    code: "not_found",
  });
});
