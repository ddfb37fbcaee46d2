// Tools on a real database: call one by its name with arguments as a model would send them.

import { expect } from "vitest";
import type { EntityKind } from "../../src/domain/entity/kinds.ts";
import type { ProjectRole, UserId } from "../../src/domain/identity/identity.ts";
import { realEnv } from "../../src/main/env.ts";
import { findEntity } from "../../src/store/entity/entity-store.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { parseArgs } from "../../src/tools/parse-args.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import type { Tool, ToolContext, ToolOutcome } from "../../src/tools/tool.ts";
import { type StoreWorld, storeWorld } from "./store-world.ts";

export type ToolWorld = StoreWorld & {
  readonly contextOf: (userId: UserId, over?: Partial<ToolContext>) => ToolContext;
  /** Wrong arguments are answered as the engine will answer them. */
  readonly call: (context: ToolContext, name: string, args?: unknown) => Promise<ToolOutcome>;
  /** The same, where it has to work. */
  readonly done: (context: ToolContext, name: string, args?: unknown) => Promise<Done>;
  readonly addMember: (projectId: string, userId: UserId, role: ProjectRole) => Promise<void>;
  /** As the platform: runs in these tests have no row, so nobody owns their working notes. */
  readonly find: (kind: EntityKind, projectId: string, id: string) => ReturnType<typeof findEntity>;
  /** A workspace with a root and a scratchpad, made by the run. */
  readonly makeWorkspace: (
    userId: UserId,
    projectId: string,
    runId: string,
  ) => Promise<NonNullable<ToolContext["workspace"]>>;
};

export type Done = Extract<ToolOutcome, { ok: true }>;

export const registry = makeRegistry(builtInTools);
export const anyId = realEnv.newId;

export async function toolWorld(given?: StoreWorld): Promise<ToolWorld> {
  const world = given ?? (await storeWorld());
  const { db, admin } = world;
  const call: ToolWorld["call"] = async (context, name, args = {}) => {
    const found = registry.find(name);
    if (!found.ok) throw new Error(found.text);
    const outcome = await db.asUser(
      { userId: context.userId, ...(context.runId === null ? {} : { runId: context.runId }) },
      (tx) => invoke(found.tool, tx, context, args),
    );
    expect(outcome.text.length).toBeLessThanOrEqual(20_000);
    return outcome;
  };
  return {
    ...world,
    call,
    done: async (context, name, args) => {
      const outcome = await call(context, name, args);
      if (!outcome.ok) throw new Error(`${name}: ${outcome.code}: ${outcome.text}`);
      return outcome;
    },
    contextOf: (userId, over = {}) => ({
      userId,
      runId: null,
      iteration: 1,
      branchId: null,
      projectIds: null,
      workspace: null,
      newId: realEnv.newId,
      ...over,
    }),
    addMember: async (projectId, userId, role) => {
      await admin.query("insert into homework.onto_project_members (project_id, user_id, role) values ($1, $2, $3)", [
        projectId,
        userId,
        role,
      ]);
    },
    find: (kind, projectId, id) => db.asSystem((tx) => findEntity(tx, kind, projectId, id)),
    makeWorkspace: async (userId, projectId, runId) => {
      const make = async (type: string) => {
        const id = realEnv.newId();
        await admin.query(
          `insert into homework.onto_documents (id, project_id, title, type_key, state_key, created_by, created_by_run, props)
           values ($1, $2, $3, $4, 'workspace', $5, $6, $7)`,
          [id, projectId, type, `document.homework.${type}`, userId, runId, { homework: { run_id: runId } }],
        );
        return id;
      };
      return { projectId, rootId: await make("workspace"), scratchpadId: await make("scratchpad") };
    },
  };
}

type Tx = Parameters<Parameters<StoreWorld["as"]>[1]>[0];

export async function invoke(tool: Tool, tx: Tx, context: ToolContext, given: unknown): Promise<ToolOutcome> {
  const parsed = parseArgs(tool, given);
  if (!parsed.ok) return { ok: false, code: "invalid_arguments", text: parsed.text };
  if (tool.kind === "read") return tool.read(tx, context, parsed.args);
  if (tool.kind === "write") return tool.write(tx, context, parsed.args);
  throw new Error(`${tool.name} reaches outside`);
}
