// Compares a thing as it is with what the session has read of it, before it is written over: what someone else has changed
// meanwhile is shown and never replaced. Where nothing of theirs would be lost, the write goes ahead and its answer shows the change.

import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { isSame } from "../domain/change-set/fields.ts";
import type { Entity, Project } from "../domain/entity/entity.ts";
import type { EntityKind } from "../domain/entity/kinds.ts";
import { changedLines } from "../lib/changed-lines.ts";
import { isRecord } from "../lib/json.ts";
import { type EarlierState, findEarlier, findOwnText, type Writer } from "../store/entity/change-store.ts";
import { findForeignWords } from "../store/entity/node-store.ts";
import { cut } from "./bounds.ts";
import { type ReadText, readingOf, type Sighting, type ThingRead, wasReadWhole, wholeText } from "./things-read.ts";
import { refuse, type ToolContext, type ToolRefusal } from "./tool.ts";

/** A thing as it is, its texts and fields under the names of their columns. */
export type ThingNow = {
  readonly kind: EntityKind | "project";
  readonly id: string;
  readonly projectId: string;
  readonly version: number;
  readonly texts: Readonly<Partial<Record<TextColumn, string>>>;
  readonly fields: Readonly<Record<string, unknown>>;
};

export const textColumns = ["content", "description"] as const;
type TextColumn = (typeof textColumns)[number];

export const entityNow = ({ kind, id, projectId, version, content, description, ...entity }: Entity): ThingNow => ({
  kind,
  id,
  projectId,
  version,
  texts: { content, description },
  fields: {
    title: entity.title,
    state_key: entity.stateKey,
    type_key: entity.typeKey,
    priority: entity.priority,
    due_at: entity.dueAt,
    props: entity.props,
  },
});

export const projectNow = ({ id, version, description, name, stateKey, props }: Project): ThingNow => ({
  kind: "project",
  id,
  projectId: id,
  version,
  texts: { description },
  fields: { name, state_key: stateKey, props },
});

/** What is about to be written. `merged`: a text into which the change is worked, instead of replacing it. */
export type WantedChange = {
  readonly values: Readonly<Record<string, unknown>>;
  readonly merged?: TextColumn;
};

/** What the change means for someone who put the thing away: everything of it. */
export const removal = "removal";

export type Compared =
  | {
      readonly ok: true;
      /** What others changed meanwhile, for the model; empty where nothing did. */
      readonly news: string;
      readonly isUntrusted: boolean;
      /** Texts that the session knows whole once `news` is read. */
      readonly known: readonly TextColumn[];
    }
  | { readonly ok: false; readonly refusal: ToolRefusal };

/** `words`: what changed, for the model; `isWhole`: all of it. `column` is null for the fields in a line. */
type Difference = {
  readonly column: TextColumn | null;
  readonly words: string;
  readonly isWhole: boolean;
  readonly isLoss: boolean;
};

/** Characters of what changed in one text. */
const shownMax = 3_000;
/** A description that was never read is short enough to be shown in the refusal itself. */
const descriptionMax = 1_500;

export async function compareRead(
  tx: Tx,
  context: ToolContext,
  now: ThingNow,
  wanted: WantedChange | typeof removal,
): Promise<Compared> {
  const { thingsRead } = context;
  // Without a session, what is written was approved by a person, who was shown what it replaces.
  if (thingsRead === undefined) return { ok: true, news: "", isUntrusted: false, known: [] };
  const read = thingsRead.get(now.id);
  const unread: TextColumn[] = [];
  const differences: Difference[] = [];
  const known: TextColumn[] = [];
  for (const column of textColumns) {
    const text = now.texts[column];
    if (text === undefined) continue;
    const isReplaced = replaces(wanted, column, text);
    const reading = readingOf(read?.[column], text);
    if (reading === "whole") known.push(column);
    else if (reading === "other") differences.push(await tellText(tx, now, column, read?.[column] ?? null, isReplaced));
    else if (isReplaced && wanted !== removal && !(await isOwnText(tx, context, now, column))) unread.push(column);
  }
  differences.push(...(await tellFields(tx, now, read, wanted)));
  const isUntrusted =
    differences.length + unread.length > 0 && (await findForeignWords(tx, [now.projectId], [now.id])).length > 0;
  const told = toldWhole(differences, read);
  const news = differences.map(({ words }) => words).join("\n");
  if (differences.some(({ isLoss }) => isLoss))
    return refused(now, tellLosses(now, news, differences, told), told, isUntrusted);
  if (unread.length > 0) {
    const shown = unread.filter((column) => isShown(now, column));
    return refused(now, tellUnread(now, news, unread, read), [...told, ...shown], isUntrusted);
  }
  return { ok: true, news, isUntrusted, known: [...known, ...told] };
}

function replaces(wanted: WantedChange | typeof removal, column: TextColumn, text: string): boolean {
  if (wanted === removal) return text !== "";
  const value = wanted.values[column];
  return value !== undefined && value !== text && wanted.merged !== column;
}

/** A run knows what it wrote itself, unless someone has changed it; whole pages it has to read again all the same. */
async function isOwnText(tx: Tx, { runId }: ToolContext, now: ThingNow, column: TextColumn): Promise<boolean> {
  if (column === "content" || runId === null) return false;
  return (await findOwnText(tx, now.kind, now.id, column)) === now.texts[column];
}

const writerWords: Record<Writer, string> = {
  user: "the user",
  other_person: "another person",
  other_run: "another run",
  this_run: "another session of this run",
};

/** The session's own writes are among those of its run. */
function tellWriters(writers: readonly Writer[]): string {
  const others = writers.filter((writer) => writer !== "this_run");
  return (others.length > 0 ? others : writers).map((writer) => writerWords[writer]).join(" and ");
}

async function tellText(
  tx: Tx,
  now: ThingNow,
  column: TextColumn,
  read: ReadText | null,
  isLoss: boolean,
): Promise<Difference> {
  const earlier = read && (await findEarlier(tx, now, { column, digest: read.digest }));
  if (!earlier) return { column, words: `The ${column} is different from what you read.`, isWhole: false, isLoss };
  const { text, isWhole } = changedLines(String(earlier.row[column] ?? ""), now.texts[column] ?? "", shownMax);
  const head = `The ${column} was changed by ${tellWriters(earlier.writers)} ("-" went, "+" came):`;
  return { column, words: `${head}\n${text}`, isWhole, isLoss };
}

/** Fields in a line, as they were at the version that was shown. */
async function tellFields(
  tx: Tx,
  now: ThingNow,
  read: ThingRead | undefined,
  wanted: WantedChange | typeof removal,
): Promise<readonly Difference[]> {
  if (read?.version == null || read.version >= now.version) return [];
  const earlier = await findEarlier(tx, now, { version: read.version } satisfies EarlierState);
  if (earlier === null) return [];
  const isWritten = (name: string) => wanted === removal || wanted.values[name] !== undefined;
  const was = spread(earlier.row, now.fields);
  const is = spread(now.fields, now.fields);
  const will = wanted === removal ? {} : spread(wanted.values, now.fields);
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((name) => !isSameValue(was[name], is[name]))
    .map((name) => ({
      column: null,
      words: `${name} was changed by ${tellWriters(earlier.writers)}: ${shortly(was[name])} → ${shortly(is[name])}`,
      isWhole: true,
      isLoss: isWritten(name.split(".")[0] ?? name) && (wanted === removal || !isSameValue(will[name], is[name])),
    }));
}

/** Properties by themselves: a write puts them together key by key. */
function spread(row: Readonly<Record<string, unknown>>, fields: ThingNow["fields"]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.keys(fields).flatMap((name) => {
      const value = row[name];
      if (name !== "props") return [[name, value]];
      const { homework: _, ...props } = isRecord(value) ? value : {};
      return Object.entries(props).map(([key, each]) => [`props.${key}`, each]);
    }),
  );
}

/** A time is the same time in any notation. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (isSame(one ?? null, other ?? null)) return true;
  const times = z.tuple([z.string().pipe(z.coerce.date()), z.string().pipe(z.coerce.date())]).safeParse([one, other]);
  return times.success && times.data[0].getTime() === times.data[1].getTime();
}

const shortly = (value: unknown): string => cut(JSON.stringify(value ?? null), 200);

/** Texts whose every change was told to a session that knew them whole: it knows them now. */
const toldWhole = (differences: readonly Difference[], read: ThingRead | undefined): readonly TextColumn[] =>
  differences.flatMap(({ column, isWhole }) => {
    const text = column === null ? null : read?.[column];
    return column !== null && isWhole && text && wasReadWhole(text) ? [column] : [];
  });

function tellLosses(
  now: ThingNow,
  news: string,
  differences: readonly Difference[],
  told: readonly TextColumn[],
): string {
  const isTold = differences.every(({ column, isLoss }) => !isLoss || column === null || told.includes(column));
  const next = isTold
    ? "Put both together, then call again."
    : `Read it with get_${now.kind}, put both together, then call again.`;
  const head = `Nothing was written: the ${now.kind} ${now.id} has changed since you read it (it is at version ${now.version}).`;
  return [head, news, next].join("\n");
}

const isShown = ({ texts }: ThingNow, column: TextColumn): boolean =>
  column === "description" && (texts.description ?? "").length <= descriptionMax;

function tellUnread(now: ThingNow, news: string, unread: readonly TextColumn[], read: ThingRead | undefined): string {
  const lines = unread.map((column) => {
    const text = now.texts[column] ?? "";
    if (isShown(now, column)) return `Its ${column} reads now:\n${text}`;
    const how = readingOf(read?.[column], text) === "part" ? "only in part" : "not yet";
    return `You have read its ${column} (${text.length} characters) ${how}: read all of it with get_${now.kind} first, or change it in place.`;
  });
  const head = `Nothing was written: you would replace text of the ${now.kind} ${now.id} that you have not read in this session.`;
  return [head, ...(news === "" ? [] : [news]), ...lines, "Then call again."].join("\n");
}

function refused(now: ThingNow, text: string, known: readonly TextColumn[], isUntrusted: boolean): Compared {
  const seen = [sighted(now, known)];
  const refusal = { ...refuse("conflict", text), seen, showsText: true as const };
  return { ok: false, refusal: isUntrusted ? { ...refusal, isUntrusted } : refusal };
}

/** What the session knows of a thing once it has read an answer about it. */
export const sighted = (
  { id, version, texts }: Pick<ThingNow, "id" | "version" | "texts">,
  known: readonly TextColumn[],
): Sighting => ({
  id,
  version,
  ...Object.fromEntries(known.map((column) => [column, wholeText(texts[column] ?? "")])),
});

/** Refused on the model's own word that it had read another version; says what has changed since that one. */
export async function tellStale(tx: Tx, now: ThingNow, version: number): Promise<ToolRefusal> {
  const earlier = await findEarlier(tx, now, { version });
  const row = earlier?.row ?? {};
  const texts = textColumns.filter(
    (column) => earlier !== null && now.texts[column] !== undefined && row[column] !== now.texts[column],
  );
  const lines = texts.map((column) => {
    const { text } = changedLines(String(row[column] ?? ""), now.texts[column] ?? "", shownMax);
    return `The ${column} was changed ("-" went, "+" came):\n${text}`;
  });
  const head = `The ${now.kind} ${now.id} was changed in the meantime (it is at version ${now.version}).`;
  const isUntrusted = (await findForeignWords(tx, [now.projectId], [now.id])).length > 0;
  const text = [head, ...lines, `Read it with get_${now.kind}, then decide again.`].join("\n");
  const refusal = { ...refuse("conflict", text), showsText: true as const };
  return isUntrusted ? { ...refusal, isUntrusted } : refusal;
}
