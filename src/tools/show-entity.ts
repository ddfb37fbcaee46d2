// How the user's things look to a model: a line in a list, and one of them whole, a page of its text at a time.

import type { Tx } from "../db/database.ts";
import type { Entity, EntitySummary } from "../domain/entity/entity.ts";
import { dueIn } from "../domain/wall-clock.ts";
import { sliceText } from "../lib/slice-text.ts";
import { findForeignWords } from "../store/entity/node-store.ts";
import { bounds, cut, oneLine, quoted, sliceHeading } from "./bounds.ts";
import { type Sighting, seenText, wholeText } from "./things-read.ts";
import type { ToolOutcome } from "./tool.ts";

/** Due dates are days of the user (`timeZone`). */
export function entityLine(entity: EntitySummary, timeZone: string): string {
  const { id, stateKey, priority, dueAt, parentId, version, updatedAt, description } = entity;
  const facts = [
    `- ${id} [${oneLine(stateKey, 20)}] ${quoted(entity.title)}`,
    ...(priority === null ? [] : [`priority ${priority}`]),
    ...(dueAt === null ? [] : [`due ${dueIn(dueAt, timeZone)}`]),
    ...(parentId === null ? [] : [`below ${parentId}`]),
    `version ${version}`,
    `updated ${updatedAt}`,
  ];
  const line = facts.join(" · ");
  return description.trim() === "" ? line : `${line}: ${oneLine(description, bounds.lineDescription)}`;
}

/** What a line of a list shows. */
export function sightedLine({ id, version, description }: EntitySummary): Sighting {
  const isWhole = oneLine(description, bounds.lineDescription) === description;
  return isWhole ? { id, version, description: wholeText(description) } : { id, version };
}

export const entityParts = ["content", "description", "props", "title"] as const;
export type EntityPart = (typeof entityParts)[number];

export type PageOfEntity = { readonly part: EntityPart; readonly offset: number; readonly limit: number };

export function entityText(entity: Entity, { part, offset, limit }: PageOfEntity, timeZone: string): string {
  const whole = part === "props" ? JSON.stringify(entity.props) : entity[part];
  const slice = sliceText(whole, offset, limit);
  const heading = sliceHeading(part, whole, slice);
  return [...headerLines(entity, part, timeZone), heading, slice.shown].join("\n");
}

/** What `entityText` shows. */
export function sightedEntity(entity: Entity, { part, offset, limit }: PageOfEntity): Sighting {
  const { id, version, description } = entity;
  const isShort = part === "content" && description.length <= bounds.description;
  const seen = { id, version, ...(isShort ? { description: wholeText(description) } : {}) };
  if (part !== "content" && part !== "description") return seen;
  const { from, shown } = sliceText(entity[part], offset, limit);
  return { ...seen, [part]: seenText(entity[part], from, from + shown.length) };
}

function headerLines(entity: Entity, part: EntityPart, timeZone: string): readonly string[] {
  const { kind, id, projectId, stateKey, typeKey, version, priority, dueAt, parentId } = entity;
  const lines = [
    `${kind} ${id} in project ${projectId}`,
    `title: ${shortened(entity.title, bounds.title, "title")}`,
    `state: ${stateKey} · type: ${typeKey} · version: ${version} · created: ${entity.createdAt} · updated: ${entity.updatedAt}`,
    ...(priority === null ? [] : [`priority: ${priority}`]),
    ...(dueAt === null ? [] : [`due: ${dueIn(dueAt, timeZone)}`]),
    ...(parentId === null ? [] : [`below document: ${parentId}`]),
  ];
  if (part === "content") {
    if (entity.description !== "")
      lines.push(`description: ${shortened(entity.description, bounds.description, "description")}`);
    const { homework: _, ...props } = entity.props;
    if (Object.keys(props).length > 0) lines.push(`props: ${shortened(JSON.stringify(props), bounds.props, "props")}`);
  }
  return lines;
}

const shortened = (text: string, max: number, part: EntityPart) =>
  text.length <= max ? text : `${cut(text, max)} (${text.length} characters; the whole with part "${part}")`;

/** A list as a model reads it, with the way to the rest of it. */
export function listText(what: string, lines: readonly string[], more: string | null): string {
  if (lines.length === 0) return more === null ? `No ${what}.` : `No ${what} on this page. ${more}`;
  return [`${lines.length} ${what}${more === null ? ", and no more" : ""}:`, ...lines, ...(more ? [more] : [])].join(
    "\n",
  );
}

export const moreByCursor = (cursor: string | null): string | null =>
  cursor === null ? null : `There are more: call again with cursor ${cursor}`;

type Shown = {
  readonly text: string;
  readonly summary: string;
  readonly projectIds: readonly string[];
  /** Of everything that the text shows. */
  readonly ids: readonly string[];
  readonly seen?: readonly Sighting[];
};

/** What a read answers; untrusted where anyone but the user has written in what it shows. */
export async function show(tx: Tx, { text, summary, projectIds, ids, seen = [] }: Shown): Promise<ToolOutcome> {
  const foreign = await findForeignWords(tx, [...new Set(projectIds)], [...new Set(ids)]);
  return { ok: true, text, artifacts: [], summary, isUntrusted: foreign.length > 0, seen };
}
