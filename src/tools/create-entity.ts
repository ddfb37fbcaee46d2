// create_task, create_goal, create_plan, create_milestone, create_document. What a run makes carries its mark, a
// document also a path and tags. A document without a parent stands at the top of its project: the workspace is for notes.

import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { type EntityKind, entityKinds, kindSpecs } from "../domain/entity/kinds.ts";
import { describeLength } from "../domain/run/measure-document.ts";
import { pagePaths } from "../domain/workspace/pages.ts";
import { createEntity } from "../store/entity-store.ts";
import {
  content,
  description,
  dueAt,
  dueTime,
  id,
  priority,
  projectId,
  props,
  source,
  stateOf,
  tags,
  title,
  typeKey,
} from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { markNew } from "./homework-tag.ts";
import { onlyOfKind } from "./kind-fields.ts";
import { placeBelow } from "./place-document.ts";
import { openEntity, openProject } from "./scope.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";
import { freePath, slugOf } from "./workspace-page.ts";

const argsOf = (kind: EntityKind) =>
  onlyOfKind(
    kind,
    z.strictObject({
      title,
      description: description.optional(),
      content: content.optional(),
      state: stateOf(kind).optional().describe(`Its state at first; ${kindSpecs[kind].states[0]} if left out`),
      type_key: typeKey.optional().describe(`Its type; ${kindSpecs[kind].defaultType} if left out`),
      props: props.optional(),
      priority: priority.optional(),
      due_at: dueAt.optional(),
      parent_id: id.nullable().optional().describe("The document it goes below; at the top if left out"),
      tags: tags.optional(),
      project_id: projectId.optional(),
      source,
    }),
  );

type NewEntity = z.output<ReturnType<typeof argsOf>>;

const createOf = (kind: EntityKind): Tool =>
  defineWrite<NewEntity>({
    name: `create_${kind}`,
    description: `Makes a new ${kind} in a project. Look first whether there is one already.`,
    args: argsOf(kind),
    tags: [],
    stage: kind === "task" || kind === "document" ? 1 : 2,
    write: (tx, context, asked) => create(tx, context, kind, asked),
  });

async function create(tx: Tx, context: ToolContext, kind: EntityKind, asked: NewEntity): Promise<ToolOutcome> {
  const made = { documentId: context.newId(), edgeId: context.newId() };
  const parent = asked.parent_id ? await openEntity(tx, context, "document", asked.parent_id, "viewer") : null;
  if (parent?.ok === false) return parent;
  const wanted = asked.project_id ?? parent?.value.projectId;
  const project = await openProject(
    tx,
    context,
    wanted,
    "editor",
    kind === "document" ? workspaceProject(context) : null,
  );
  if (!project.ok) return project;
  const place = { ...made, projectId: project.value.id };
  await createEntity(
    tx,
    kind,
    { id: made.documentId, projectId: place.projectId, by: context.userId },
    {
      title: asked.title,
      description: asked.description,
      content: asked.content,
      state_key: asked.state,
      type_key: asked.type_key,
      props: markNew(context, asked.props, {
        source: asked.source,
        ...(await fileMark(tx, context, kind, asked, place)),
      }),
      priority: asked.priority,
      due_at: asked.due_at && dueTime(asked.due_at, context.timeZone ?? "UTC"),
    },
  );
  if (parent) {
    const refused = await placeBelow(tx, context, place, parent.value.id);
    if (refused) return refused;
  }
  return {
    ok: true,
    text: `Made the ${kind} ${made.documentId} ${quoted(asked.title)}${kind === "document" ? wordsNote(asked.content) : dueNote(asked.due_at)}.`,
    artifacts: [{ kind, id: made.documentId }],
    summary: `Made the ${kind} ${quoted(asked.title)}`,
    isUntrusted: false,
  };
}

type Placed = { readonly documentId: string; readonly projectId: string };

/** Where a run files a document, and under which words. */
async function fileMark(tx: Tx, { runId }: ToolContext, kind: EntityKind, asked: NewEntity, made: Placed) {
  if (kind !== "document" || runId === null) return {};
  const path = pagePaths.document(runId, slugOf(asked.title, "document"));
  return {
    path: await freePath(tx, { projectId: made.projectId, runId }, path, made.documentId),
    tags: asked.tags ?? [],
  };
}

/** So that a model need not guess how long a text has got. */
const wordsNote = (content: string | undefined): string =>
  content === undefined || content.trim() === "" ? "" : `, ${describeLength(content)}`;

const dueNote = (dueAt: string | null | undefined): string => (dueAt ? `, due ${dueAt}` : "");

const workspaceProject = ({ workspace }: ToolContext) => workspace?.projectId ?? null;

export const createTools: readonly Tool[] = entityKinds.map(createOf);
