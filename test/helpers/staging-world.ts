// A run that asks before it writes, taken by a worker again and again, with the real tools on a real database: stage, decide,
// replay, look.

import { createHash } from "node:crypto";
import { sql } from "kysely";
import { beforeEach } from "vitest";
import { z } from "zod";
import type { Tx } from "../../src/db/database.ts";
import type { StagedWrite, WriteState } from "../../src/domain/change-set/staged-write.ts";
import type { Entity } from "../../src/domain/entity/entity.ts";
import type { EntityKind } from "../../src/domain/entity/kinds.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { Run } from "../../src/domain/run/run.ts";
import { entryIds } from "../../src/engine/tools/entry-ids.ts";
import { replayApproved, type Staging, stageToolWrite } from "../../src/engine/tools/staging.ts";
import { realEnv } from "../../src/main/env.ts";
import { StoredJournal } from "../../src/runs/journal.ts";
import { takeRun } from "../../src/runs/take-run.ts";
import { decideWrites, listWrites } from "../../src/store/change/change-set-store.ts";
import { findEntity, updateEntity } from "../../src/store/entity/entity-store.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { defineWrite } from "../../src/tools/define-tool.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import type { Tool, ToolOutcome } from "../../src/tools/tool.ts";
import { runWorld } from "./run-world.ts";

/** The plainest tool of this name. */
export const toolBase = (name: string) => ({
  name,
  description: name,
  args: z.object({}),
  tags: [],
  stage: 1 as const,
});

export const wrote = (text: string): ToolOutcome => ({
  ok: true,
  text,
  artifacts: [],
  summary: text,
  isUntrusted: false,
});

/** Breaks in a way no tool should. */
const breaking = defineWrite<object>({
  ...toolBase("break_it"),
  write: () => Promise.reject(new Error("bug: it broke")),
});

/** Makes a new task, changes it and throws the old one away: many lines of history, two things. */
const replacing = defineWrite<{ id: string }>({
  ...toolBase("replace_task"),
  args: z.object({ id: z.string() }),
  write: async (tx, context, { id }) => {
    const made = context.newId();
    await sql`insert into onto_tasks (id, project_id, title, content)
      select ${made}::uuid, project_id, 'Draft', title from onto_tasks where id = ${id}`.execute(tx);
    await sql`update onto_tasks set title = 'New' where id = ${made}`.execute(tx);
    await sql`update onto_tasks set deleted_at = now(), version = version + 1 where id = ${id}`.execute(tx);
    return wrote(made);
  },
});

export const registry = makeRegistry([...builtInTools, breaking, replacing]);

function toolNamed(name: string): Tool {
  const found = registry.find(name);
  if (!found.ok) throw new Error(found.text);
  return found.tool;
}

/** The first id in a tool's answer. */
export const idIn = ({ text }: ToolOutcome): string => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? "";

export const stage = (staging: Staging, key: string, name: string, args: object, why: string | null = null) =>
  stageToolWrite({
    ...staging,
    tool: toolNamed(name),
    args,
    key,
    head: { key, lane: { id: "exec:1", title: why }, tool: name, args },
  });

const ontologyTables = "projects tasks goals plans milestones documents edges changes change_counters".split(" ");

export async function stagingWorld() {
  const world = await runWorld(1_000);
  const { admin, db, as } = world;
  /** Of the test that runs now. */
  const now = { user: "" as UserId, project: "", run: null as Run | null };
  const runId = () => now.run?.id ?? "";
  beforeEach(async () => {
    now.user = await world.makeUser();
    now.project = await world.makeProject(now.user);
    const permission = { writeMode: "per_write", allowedTools: null } as const;
    now.run = await world.create(now.user, { permission, scope: { kind: "project", projectId: now.project } });
  });

  /** As a worker takes it: another attempt at the iteration that is due, with what earlier ones journaled. */
  const attempt = async (iteration = 1): Promise<Staging & { readonly journal: StoredJournal<Tx> }> => {
    await admin.query("update homework.homework_runs set iteration = $2 where id = $1", [runId(), iteration]);
    const job = { id: realEnv.newId(), attempt: 1, runId: runId() as Run["id"], iteration };
    const taken = await takeRun(world.store, job, "test", { maxConcurrentRuns: 1_000 });
    if (taken === null) throw new Error("the run cannot be taken");
    const journal = new StoredJournal<Tx>(world.store, taken, new AbortController().signal, realEnv);
    const projectIds = [now.project];
    const place = { userId: now.user, runId: runId(), iteration, branchId: null, projectIds, workspace: null };
    return { run: taken.run, journal, registry, context: { ...place, newId: entryIds(runId(), iteration, "unused") } };
  };

  const writes = async (state?: WriteState): Promise<readonly StagedWrite[]> =>
    (await as(now.user, (tx) => listWrites(tx, runId(), { limit: 200, state }))).items;
  const decide = (decision: "approve" | "reject", ids: readonly string[], note = "") => {
    const decisions = ids.map((id) => ({ id, decision, note }));
    return db.asSystem((tx) => decideWrites(tx, runId(), decisions, now.user));
  };
  const find = (kind: EntityKind, id: string): Promise<Entity | null> =>
    as(now.user, (tx) => findEntity(tx, kind, now.project, id));
  return {
    ...world,
    now,
    runId,
    attempt,
    writes,
    decide,
    find,
    decideAll: async (decision: "approve" | "reject") =>
      decide(
        decision,
        (await writes("pending")).map(({ id }) => id),
      ),
    make: (kind: EntityKind, title: string) => world.makeEntity(now.user, now.project, kind, title),
    /** In the next iteration. */
    replay: async (iteration = 2) => replayApproved(await attempt(iteration)),
    /** What a person does. */
    edit: async (kind: EntityKind, id: string, fields: object) => {
      const version = (await find(kind, id))?.version ?? 0;
      await as(now.user, (tx) => updateEntity(tx, kind, { id, projectId: now.project, version }, fields));
    },
    countTasks: async () =>
      Number(
        (await admin.query("select count(*) from homework.onto_tasks where project_id = $1", [now.project])).rows[0]
          .count,
      ),
    /** Of everyone's things, also the history and its numbers. */
    hash: async (): Promise<string> => {
      const rowsOf = (name: string) =>
        `select coalesce(string_agg(to_jsonb(t)::text, ';' order by to_jsonb(t)::text), '') from homework.onto_${name} t`;
      const { rows } = await admin.query(ontologyTables.map(rowsOf).join(" union all "));
      return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
    },
  };
}
