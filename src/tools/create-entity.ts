// create_task, create_goal, create_plan, create_milestone, create_document. What a run makes carries its mark, a
// document also a path and tags. A document without a parent stands at the top of its project: the workspace is for notes.

import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { type EntityKind, entityKinds, kindSpecs } from "../domain/entity/kinds.ts";
import { describeLength } from "../domain/run/checks/measure-document.ts";
import { pagePaths } from "../domain/workspace/pages.ts";
import { createEntity } from "../store/entity/entity-store.ts";
import { id, projectId, source, tags, title } from "./arg-shapes.ts";
import { quoted } from "./bounds.ts";
import { defineWrite } from "./define-tool.ts";
import { entityFields, onlyOfKind, stageOf, toStored } from "./entity-fields.ts";
import { markNew } from "./homework-tag.ts";
import { openEntity, openProject } from "./scope.ts";
import { wholeText } from "./things-read.ts";
import { type Tool, type ToolContext, type ToolOutcome, wrote } from "./tool.ts";
import { freePath, placeBelow, slugOf } from "./workspace-page.ts";

function argsOf(kind: EntityKind) {
  const { states, defaultType } = kindSpecs[kind];
  const fields = entityFields(kind);
  const args = z.strictObject({
    ...fields,
    title,
    state: fields.state.describe(`Its state at first; ${states[0]} if left out`),
    type_key: fields.type_key.describe(`Its type; ${defaultType} if left out`),
    parent_id: id.nullable().optional().describe("The document it goes below; at the top if left out"),
    tags: tags.optional(),
    project_id: projectId.optional(),
    source,
  });
  return onlyOfKind(kind, args);
}

type NewEntity = z.output<ReturnType<typeof argsOf>>;

const createOf = (kind: EntityKind): Tool =>
  defineWrite({
    name: `create_${kind}`,
    description: `Makes a new ${kind} in a project. Look first whether there is one already.`,
    args: argsOf(kind),
    stage: stageOf(kind),
    write: (tx, context, asked) => create(tx, context, kind, asked),
  });

async function create(tx: Tx, context: ToolContext, kind: EntityKind, asked: NewEntity): Promise<ToolOutcome> {
  const made = { documentId: context.newId(), edgeId: context.newId() };
  const parent = asked.parent_id ? await openEntity(tx, context, "document", asked.parent_id, "viewer") : null;
  if (parent?.ok === false) return parent;
  const wanted = asked.project_id ?? parent?.value.projectId;
  const otherwise = kind === "document" ? context.workspace?.projectId : null;
  const project = await openProject(tx, context, wanted, "editor", otherwise);
  if (!project.ok) return project;
  const place = { ...made, projectId: project.value.id };
  const mark = { source: asked.source, ...(await fileMark(tx, context, kind, asked, place)) };
  const marked = markNew(context, asked.props, mark);
  const head = { id: made.documentId, projectId: place.projectId, by: context.userId };
  await createEntity(tx, kind, head, { ...toStored(asked, context, marked), title: asked.title });
  if (parent) {
    const refused = await placeBelow(tx, context, place, parent.value.id);
    if (refused) return refused;
  }
  const note = kind === "document" ? wordsNote(asked.content) : dueNote(asked.due_at);
  const text = `Made the ${kind} ${made.documentId} ${quoted(asked.title)}${note}.`;
  const texts = { content: wholeText(asked.content ?? ""), description: wholeText(asked.description ?? "") };
  const seen = [{ id: made.documentId, version: 1, ...texts }];
  return { ...wrote({ kind, id: made.documentId }, text, `Made the ${kind} ${quoted(asked.title)}`), seen };
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

export const createTools: readonly Tool[] = entityKinds.map(createOf);
