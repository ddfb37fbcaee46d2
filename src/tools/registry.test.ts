import { expect, test } from "vitest";
import { z } from "zod";
import { argsSchema, schemaMax } from "./args-schema.ts";
import { builtInTools } from "./built-in.ts";
import { makeRegistry, selectTools, type ToolSelection } from "./registry.ts";
import { readTool, refuse, type Tool } from "./tool.ts";

const makeTool = (name: string, stage: Tool["stage"] = 1, args: z.ZodType = z.strictObject({})) =>
  readTool({ name, description: "d", args, tags: [], stage, read: async () => refuse("failed", "") });

const tools = [makeTool("one", 1), makeTool("create_goal", 2), makeTool("bin_task", 3)];
const nothing: ToolSelection = { stage: 1, chosen: [], missed: [], allowed: null };
const check = (over: Partial<ToolSelection>) => selectTools(tools, { ...nothing, ...over }).map(({ name }) => name);

test("at first there are the few that everyone needs", () => {
  expect(check({ stage: 1, chosen: ["create_goal"], missed: ["bin_task"] })).toEqual(["one"]);
});

test("then those that were chosen, and those that were missed", () => {
  expect(check({ stage: 2, chosen: ["create_goal"] })).toEqual(["one", "create_goal"]);
  expect(check({ stage: 2, missed: ["bin_task"] })).toEqual(["one", "bin_task"]);
});

test("a name that was missed and is nobody's brings those like it", () => {
  expect(check({ stage: 2, missed: ["creat_goals"] })).toEqual(["one", "create_goal"]);
});

test("at last there are all", () => {
  expect(check({ stage: 3 })).toEqual(["one", "create_goal", "bin_task"]);
});

test.each([1, 2, 3] as const)("in stage %s nothing is there that is not allowed", (stage) => {
  expect(check({ stage, chosen: ["create_goal"], missed: ["bin_task"], allowed: [] })).toEqual([]);
  expect(check({ stage, chosen: ["create_goal"], missed: ["bin_task"], allowed: ["one"] })).toEqual(["one"]);
});

test("what is allowed is not thereby shown", () => {
  expect(check({ stage: 1, allowed: ["one", "bin_task"] })).toEqual(["one"]);
});

test("results can be read and the workspace be written from the beginning, unless that is not allowed", () => {
  const always = ["read_result", "write_note", "edit_document"];
  const names = (allowed: readonly string[] | null) =>
    selectTools(builtInTools, { ...nothing, allowed }).map(({ name }) => name);
  expect(names(null)).toEqual(expect.arrayContaining(always));
  expect(names(["create_task"])).toEqual(["create_task"]);
});

test("the first stage is a small part of all, and all fit into a prompt", () => {
  const registry = makeRegistry(builtInTools);
  const size = (stage: ToolSelection["stage"]) => JSON.stringify(registry.offers({ ...nothing, stage })).length;
  expect(size(1)).toBeLessThan(size(3) * 0.6);
  expect(size(3)).toBeLessThan(80_000);
});

test("a tool is found by its name", () => {
  expect(makeRegistry(tools).find(" create_goal ")).toEqual({ ok: true, tool: tools[1] });
});

test.each([
  ["create_tasks", "create_task"],
  ["createTask", "create_task"],
  ["get_documents", "get_document"],
  ["task_create", "create_task"],
  ["document_search", "search_documents"],
])("for %s, %s is among what may have been meant", (wrong, right) => {
  const found = makeRegistry(builtInTools).find(wrong);
  expect(found.ok).toBe(false);
  expect(!found.ok && found.text).toContain(right);
});

test("a name like no other gets no guesses and a short answer", () => {
  const found = makeRegistry(builtInTools).find("💥".repeat(5_000));
  expect(!found.ok && found.text.length).toBeLessThan(300);
  expect(!found.ok && found.text).not.toContain("Did you mean");
});

test("two tools of one name, and names no provider takes, are bugs", () => {
  expect(() => makeRegistry([makeTool("a"), makeTool("a")])).toThrow("same name");
  expect(() => makeRegistry([makeTool("a b")])).toThrow("a b");
});

test("an offer has the schema of what may be sent", () => {
  const [offer] = makeRegistry([
    makeTool("a", 1, z.strictObject({ n: z.int().default(1).describe("A number") })),
  ]).offers(nothing);
  expect(offer).toMatchObject({
    name: "a",
    schema: {
      type: "object",
      properties: { n: { type: "integer", description: "A number" } },
      additionalProperties: false,
    },
  });
  expect(offer?.schema).not.toHaveProperty("required");
});

test("a schema that is too large loses its descriptions, and one that still is is not shown", () => {
  const field = z.string().describe("d".repeat(500));
  const wide = (fields: number) =>
    argsSchema({
      args: z.strictObject(Object.fromEntries(Array.from({ length: fields }, (_, n) => [`f${n}`, field]))),
    });
  expect(JSON.stringify(wide(5))).toContain("ddd");
  expect(JSON.stringify(wide(20))).not.toContain("ddd");
  expect(wide(20)).toHaveProperty("properties.f19");
  expect(wide(5_000)).not.toHaveProperty("properties");
  for (const fields of [5, 20, 5_000]) expect(JSON.stringify(wide(fields)).length).toBeLessThanOrEqual(schemaMax);
});
