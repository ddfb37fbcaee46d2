// What the commands about tasks and documents have in common: naming one, changing it, the bin, and showing it.

import type { Command } from "commander";
import { AppError } from "../lib/app-error.ts";
import type { Entity, EntitySummary } from "../protocol/api.ts";
import { routes } from "../protocol/api.ts";
import type { EntityKind } from "../protocol/kinds.ts";
import { findEntity, shortIds } from "./find.ts";
import { type ApiInvocation, apiAction } from "./invocation.ts";
import { examples, wholeNumber } from "./options.ts";
import type { Output } from "./output.ts";
import { oneLine } from "./plain-text.ts";
import type { Host } from "./ports.ts";
import type { Column } from "./table.ts";
import { dateIn, dateOf } from "./time-words.ts";

export type ProjectOption = { readonly project?: string };
export type ContentOptions = { readonly content?: string; readonly file?: string };
export type ChangeOptions = ProjectOption & ContentOptions & { readonly ifVersion?: number };

/** Things other than a project are named by id alone; naming the project makes finding them quicker. */
export function withProject(command: Command): Command {
  return command.option("-p, --project <project>", "the project it is in (id, start of the id, or name)");
}

export function inProject(command: Command): Command {
  return command.option(
    "-p, --project <project>",
    "the project (id, start of the id, or name); not needed if you have one",
  );
}

export function withContent(command: Command): Command {
  return command
    .option("--content <markdown>", "its text, as markdown")
    .option("-f, --file <file>", "read its text from a file; - is stdin");
}

export function withVersion(command: Command): Command {
  return command.option("--if-version <number>", "only if it still has this version", wholeNumber(1, 2 ** 31));
}

/** The markdown that was given, or undefined if none was. */
export async function readContent(host: Host, options: ContentOptions): Promise<string | undefined> {
  if (options.file === undefined) return options.content;
  if (options.content !== undefined)
    throw new AppError("invalid_request", "Give the text either by --content or by --file, not by both");
  return options.file === "-" ? host.terminal.readInput() : host.files.readText(options.file);
}

type EntityChange = Readonly<Record<string, unknown>>;

/** Changes the version it finds, or the one that was asked for. */
export async function changeEntity(
  { api }: ApiInvocation,
  kind: EntityKind,
  ref: string,
  options: ChangeOptions,
  change: EntityChange,
): Promise<Entity> {
  if (Object.values(change).every((value) => value === undefined))
    throw new AppError("invalid_request", "Nothing to change: give at least one of the options");
  const found = await findEntity(api, kind, ref, { project: options.project, deleted: false });
  return api(routes[kind].update, {
    params: { projectId: found.project_id, entityId: found.id },
    body: { ...change, version: options.ifVersion ?? found.version },
  });
}

/** `delete` and `restore`. */
export function addEntityBin(family: Command, host: Host, kind: "task" | "document", word: string): void {
  const move = async ({ api, output }: ApiInvocation, ref: string, options: ProjectOption, restore: boolean) => {
    const found = await findEntity(api, kind, ref, { project: options.project, deleted: restore });
    const params = { projectId: found.project_id, entityId: found.id };
    const entity = await api(restore ? routes[kind].restore : routes[kind].remove, { params });
    const title = oneLine(entity.title);
    output.say(restore ? `"${title}" is back.` : `Put "${title}" in the bin; "restore" takes it out.`);
    output.data(entity, () => `${entity.id}\n`);
  };
  const remove = withProject(family.command(`delete <${word}>`).description(`put a ${kind} in the bin`)).action(
    apiAction<[string, ProjectOption]>(host, (given, ref, options) => move(given, ref, options, false)),
  );
  examples(remove, [`${word} delete 0198c2a4`]);
  const restore = withProject(family.command(`restore <${word}>`).description(`take a ${kind} out of the bin`)).action(
    apiAction<[string, ProjectOption]>(host, (given, ref, options) => move(given, ref, options, true)),
  );
  examples(restore, [`${word} restore 0198c2a4`]);
}

export function entityColumns(
  output: Output,
  items: readonly EntitySummary[],
  own: readonly Column<EntitySummary>[] = [],
): readonly Column<EntitySummary>[] {
  const short = shortIds(items.map(({ id }) => id));
  return [
    { title: "ID", value: (entity) => short(entity.id) },
    { title: "STATE", value: (entity) => entity.state_key },
    ...own,
    { title: "CHANGED", value: (entity) => output.ago(entity.updated_at) },
    { title: "TITLE", value: (entity) => entity.title, flexible: true },
  ];
}

export function renderEntity(output: Output, entity: Entity, timeZone: string): string {
  const given = (name: string, value: string): [string, string][] => (value === "" ? [] : [[name, value]]);
  const fields = output.fields([
    ["Title", entity.title],
    ["Id", entity.id],
    ["Project", entity.project_id],
    ["State", entity.state_key],
    ...given("Priority", entity.priority === null ? "" : String(entity.priority)),
    ...given("Due", dateIn(entity.due_at, timeZone)),
    ["Changed", output.ago(entity.updated_at)],
    ...given("In the bin", entity.deleted_at === null ? "" : `since ${dateOf(entity.deleted_at)}`),
    ["Version", String(entity.version)],
    ...given("About", entity.description),
  ]);
  return entity.content === "" ? fields : `${fields}\n${output.text(entity.content)}`;
}
