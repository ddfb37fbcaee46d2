// What the commands about tasks and documents have in common: list, create, update, delete and restore, and finding one.

import type { Command } from "commander";
import { foreignProps } from "../domain/entity/keep-mark.ts";
import { AppError } from "../lib/app-error.ts";
import { changedLines } from "../lib/changed-lines.ts";
import { type Entity, type EntitySummary, routes } from "../protocol/api.ts";
import { ApiError } from "../protocol/api-error.ts";
import { type EntitySort, kindSpecs } from "../protocol/kinds.ts";
import { findEntity, findProjectOrOnly, shortIds } from "./find.ts";
import { type ApiInvocation, apiAction } from "./invocation.ts";
import { type ListOptions, showList, withListOptions } from "./list.ts";
import { choice, examples, flagOf, wholeNumber } from "./options.ts";
import type { Output } from "./output.ts";
import { oneLine, withoutEscapes } from "./plain-text.ts";
import type { Host } from "./ports.ts";
import type { Column } from "./table.ts";

/** What the commands of one kind say and have of their own. */
export type EntityFamily = {
  readonly kind: "task" | "document";
  /** What commands call it. */
  readonly word: string;
  readonly list: {
    readonly description: string;
    readonly nothing: string;
    readonly columns: readonly Column<EntitySummary>[];
    readonly addOptions: (command: Command) => Command;
  };
  /** Options of `create` and `update`. */
  readonly addFields: (command: Command) => Command;
  readonly examples: Readonly<Record<"list" | "create" | "update", readonly string[]>>;
};

export type ProjectOption = { readonly project?: string };
export type ChangeOptions = ProjectOption & { readonly ifVersion?: number; readonly overwrite?: true };

type FieldOptions = {
  readonly title?: string;
  readonly description?: string;
  readonly state?: string;
  readonly priority?: number;
  readonly due?: string;
  readonly content?: string;
  readonly file?: string;
};

/** Things other than a project are named by id alone; naming the project makes finding them quicker. */
export function withProject(command: Command): Command {
  return command.option("-p, --project <project>", "the project it is in (id, start of the id, or name)");
}

/** Says how a task or document is named. */
export function nameable(command: Command): Command {
  return command.addHelpText(
    "after",
    '\nNamed by its id or the start of its id. Without a name, or with "last", it is the one that changed last.',
  );
}

export function inProject(command: Command): Command {
  return command.option(
    "-p, --project <project>",
    "the project (id, start of the id, or name); not needed if you have one",
  );
}

export function withVersion(command: Command): Command {
  return command.option("--if-version <number>", "only if it still has this version", wholeNumber(1, 2 ** 31));
}

function withFields(command: Command, { kind, addFields }: EntityFamily): Command {
  return addFields(
    command
      .option("--content <markdown>", "its text, as markdown")
      .option("-f, --file <file>", "read its text from a file; - is stdin")
      .option("-d, --description <text>", "one line about it")
      .addOption(choice("--state <state>", "its state", kindSpecs[kind].states)),
  );
}

/** What was given, by the names of the API; undefined is not sent. */
async function readFields(host: Host, options: FieldOptions) {
  const { title, description, state, priority, due } = options;
  const content = await readContent(host, options);
  return { title, description, state_key: state, priority, due_at: due, content };
}

async function readContent(host: Host, { content, file }: FieldOptions): Promise<string | undefined> {
  if (file === undefined) return content;
  if (content !== undefined)
    throw new AppError("invalid_request", "Give the text either by --content or by --file, not by both");
  return file === "-" ? host.terminal.readInput() : host.files.readText(file);
}

export function addEntityList(family: Command, host: Host, { kind, list, examples: lines }: EntityFamily): void {
  type Options = ListOptions &
    ProjectOption & {
      readonly state?: string;
      readonly sort?: EntitySort;
      readonly deleted?: true;
    };
  const command = list
    .addOptions(
      inProject(family.command("list").description(list.description)).addOption(
        choice("--state <state>", "only those in this state", kindSpecs[kind].states),
      ),
    )
    .option("--deleted", "show the bin instead");
  withListOptions(command).action(
    apiAction<[Options]>(host, async ({ api, output }, options) => {
      const { id: projectId } = await findProjectOrOnly(api, options.project);
      const { state, sort, deleted, all } = options;
      const include_working_notes = kind === "document" ? flagOf(all) : undefined;
      const query = { state, sort, deleted: flagOf(deleted), include_working_notes };
      await showList(
        output,
        options,
        (page) => api(routes[kind].list, { params: { projectId }, query: { ...page, ...query } }),
        {
          columns: (items) => entityColumns(output, items, list.columns),
          nothing: deleted ? "The bin is empty." : list.nothing,
        },
      );
    }),
  );
  examples(command, lines.list);
}

function entityColumns(
  output: Output,
  items: readonly EntitySummary[],
  own: readonly Column<EntitySummary>[],
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

export async function getEntity(
  { api }: ApiInvocation,
  kind: EntityFamily["kind"],
  ref: string | undefined,
  place: ProjectOption,
) {
  const found = await findEntity(api, kind, ref, { project: place.project, deleted: false });
  return api(routes[kind].get, { params: { projectId: found.project_id, entityId: found.id } });
}

/** `--parent` is an option of documents. */
export function addEntityCreate(family: Command, host: Host, spec: EntityFamily): void {
  type Options = FieldOptions & ProjectOption & { readonly parent?: string; readonly foreign?: true };
  const { kind } = spec;
  const command = withFields(inProject(family.command("create <title>").description(`create a ${kind}`)), spec);
  if (kind === "document")
    command
      .option("--parent <doc>", "put it below this document")
      .option("--foreign", "someone else wrote the text: runs follow no instructions in it");
  command.action(
    apiAction<[string, Options]>(host, async ({ api, output }, title, options) => {
      const fields = await readFields(host, options);
      const { id: projectId } = await findProjectOrOnly(api, options.project);
      const place = { project: projectId, deleted: false };
      const parent = options.parent === undefined ? null : await findEntity(api, kind, options.parent, place);
      const props = options.foreign ? foreignProps : undefined;
      const body = { ...fields, title, parent_id: parent?.id, props };
      const made = await api(routes[kind].create, { params: { projectId }, body });
      output.done(made, `Created ${kind} “${oneLine(made.title)}”.`);
    }),
  );
  examples(command, spec.examples.create);
}

export function addEntityUpdate(family: Command, host: Host, spec: EntityFamily): void {
  const { kind, word } = spec;
  const command = withProject(nameable(family.command(`update [${word}]`).description(`change a ${kind}`)));
  withVersion(withFields(command, spec))
    .option("--title <title>", "its new title")
    .option("--overwrite", "replace the text whatever it is now")
    .action(
      apiAction<[string | undefined, FieldOptions & ChangeOptions]>(host, async (given, ref, options) => {
        const changed = await changeEntity(given, kind, ref, options, await readFields(host, options));
        given.output.done(changed, `Updated ${kind} “${oneLine(changed.title)}”.`);
      }),
    );
  examples(command, spec.examples.update);
}

type EntityChange = Readonly<Record<string, unknown>>;

/** Changes the version it finds, or the one that was asked for. A text is replaced only in the version that was edited. */
export async function changeEntity(
  given: ApiInvocation,
  kind: EntityFamily["kind"],
  ref: string | undefined,
  options: ChangeOptions,
  change: EntityChange,
): Promise<Entity> {
  const { api } = given;
  if (Object.values(change).every((value) => value === undefined))
    throw new AppError("invalid_request", "Nothing to change: give at least one of the options");
  const found = await findEntity(api, kind, ref, { project: options.project, deleted: false });
  const params = { projectId: found.project_id, entityId: found.id };
  const { ifVersion, overwrite } = options;
  if (overwrite !== undefined && change.content === undefined)
    throw new AppError("invalid_request", "--overwrite replaces a text: give the text with --content or --file");
  if (change.content !== undefined && ifVersion === undefined && overwrite === undefined) {
    const { content, version } = await api(routes[kind].get, { params });
    if (content !== "" && content !== change.content) throw sayWhichVersion(kind, version);
  }
  const body = { ...change, version: ifVersion ?? found.version };
  return api(routes[kind].update, { params, body }).catch(async (thrown: unknown) => {
    if (ifVersion !== undefined && thrown instanceof ApiError && thrown.code === "stale_version")
      await showChangesSince(given, kind, found, ifVersion);
    throw thrown;
  });
}

const sayWhichVersion = (kind: string, version: number) =>
  new AppError(
    "invalid_request",
    `The ${kind} has a text, which this would replace. Name the version you edited (--if-version ${version} is what is there now), or give --overwrite`,
  );

/** Lines of a comparison: enough to see what to put together. */
const shownMax = 4_000;

/** What someone else has made of the text since the version that was edited. */
async function showChangesSince(
  { api, output }: ApiInvocation,
  kind: EntityFamily["kind"],
  { id, project_id: projectId }: EntitySummary,
  ifVersion: number,
): Promise<void> {
  const query = { entity_id: id, limit: 50 };
  const { items } = await api(routes.projects.listChanges, { params: { projectId }, query });
  const base = items.find(({ before }) => before?.version === ifVersion)?.before;
  const { content, version } = await api(routes[kind].get, { params: { projectId, entityId: id } });
  if (base === null || base === undefined || base.content === content) return;
  const { text } = changedLines(String(base.content ?? ""), content, shownMax);
  output.say(`Changed since version ${ifVersion}; it is at version ${version}:\n${withoutEscapes(text)}`);
}

const binVerbs = {
  delete: { about: (kind: string) => `put a ${kind} in the bin`, route: "remove", isBack: false },
  restore: { about: (kind: string) => `take a ${kind} out of the bin`, route: "restore", isBack: true },
} as const;

export function addEntityBin(family: Command, host: Host, { kind, word }: EntityFamily): void {
  for (const [verb, { about, route, isBack }] of Object.entries(binVerbs)) {
    // What is deleted is named, never guessed.
    const named = isBack ? nameable(family.command(`${verb} [${word}]`)) : family.command(`${verb} <${word}>`);
    const command = withProject(named.description(about(kind))).action(
      apiAction<[string | undefined, ProjectOption]>(host, async ({ api, output }, ref, { project }) => {
        const found = await findEntity(api, kind, ref, { project, deleted: isBack });
        const params = { projectId: found.project_id, entityId: found.id };
        const entity = await api(routes[kind][route], { params });
        const title = oneLine(entity.title);
        output.done(entity, isBack ? `"${title}" is back.` : `Put "${title}" in the bin; "restore" takes it out.`);
      }),
    );
    examples(command, [`${word} ${verb} 0198c2a4`]);
  }
}
