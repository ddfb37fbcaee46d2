// `homework doc …`: the documents of a project, as a list or as the tree they form.

import type { Command } from "commander";
import { AppError } from "../../lib/app-error.ts";
import { type Entity, routes } from "../../protocol/api.ts";
import { kindSpecs } from "../../protocol/kinds.ts";
import { renderTree } from "../document-tree.ts";
import {
  addEntityBin,
  type ChangeOptions,
  type ContentOptions,
  changeEntity,
  entityColumns,
  inProject,
  type ProjectOption,
  readContent,
  withContent,
  withProject,
  withVersion,
} from "../entity.ts";
import { findEntity, findProjectOrOnly, shortIds } from "../find.ts";
import { apiAction } from "../invocation.ts";
import { type ListOptions, showList, withListOptions } from "../list.ts";
import { addFamily, choice, examples } from "../options.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";

const { states } = kindSpecs.document;

type Fields = { readonly description?: string; readonly state?: string };

export function addDocumentCommands(program: Command, host: Host): void {
  const family = addFamily(program, "doc", "documents of a project");
  addList(family, host);
  addTree(family, host);
  addShow(family, host);
  addCreate(family, host);
  addUpdate(family, host);
  addMove(family, host);
  addEntityBin(family, host, "document", "doc");
}

function addList(family: Command, host: Host): void {
  type Options = ListOptions & { readonly project?: string; readonly state?: string; readonly deleted?: true };
  const list = inProject(
    family.command("list").description("list the documents of a project; with --all also the working notes of runs"),
  )
    .addOption(choice("--state <state>", "only those in this state", states))
    .option("--deleted", "show the bin instead");
  withListOptions(list).action(
    apiAction<[Options]>(host, async ({ api, output }, options) => {
      const { id: projectId } = await findProjectOrOnly(api, options.project);
      const { state, deleted } = options;
      const query = {
        ...(state ? { state } : {}),
        deleted: deleted ? "true" : "false",
        include_working_notes: options.all ? "true" : "false",
      } as const;
      await showList(
        output,
        options,
        (page) => api(routes.document.list, { params: { projectId }, query: { ...page, ...query } }),
        { columns: (items) => entityColumns(output, items), nothing: deleted ? "The bin is empty." : "No documents." },
      );
    }),
  );
  examples(list, ["doc list -p Kitchen", "doc list -p Kitchen --state published --json"]);
}

function addTree(family: Command, host: Host): void {
  type Options = { readonly project?: string; readonly all?: true };
  const tree = inProject(family.command("tree").description("show how the documents are nested"))
    .option("-a, --all", "also the working notes of runs")
    .action(
      apiAction<[Options]>(host, async ({ api, output }, options) => {
        const { id: projectId } = await findProjectOrOnly(api, options.project);
        const query = { include_working_notes: options.all ? "true" : "false" } as const;
        const answer = await api(routes.documents.tree, { params: { projectId }, query });
        const short = shortIds(answer.items.map(({ id }) => id));
        output.data(answer, () =>
          renderTree(answer.items, ({ id, title }) => `${oneLine(title)}  ${output.paint("dim", short(id))}`),
        );
        if (answer.items.length === 0) output.say("No documents.");
        if (answer.truncated) output.warn("There are more documents than a tree shows; see them with: doc list --all");
      }),
    );
  examples(tree, ["doc tree -p Kitchen"]);
}

function addShow(family: Command, host: Host): void {
  const show = withProject(family.command("show <doc>").description("print the markdown of a document")).action(
    apiAction<[string, ProjectOption]>(host, async ({ api, output }, ref, { project }) => {
      const found = await findEntity(api, "document", ref, { project, deleted: false });
      const params = { projectId: found.project_id, entityId: found.id };
      const document = await api(routes.document.get, { params });
      output.say(output.paint("bold", oneLine(document.title)));
      output.data(document, () => output.text(document.content));
    }),
  );
  examples(show, ["doc show 0198c2a4", "doc show 0198c2a4 --quiet > plan.md"]);
}

function withFields(command: Command): Command {
  return withContent(command)
    .option("-d, --description <text>", "one line about it")
    .addOption(choice("--state <state>", "its state", states));
}

function bodyOf({ description, state }: Fields) {
  return {
    ...(description === undefined ? {} : { description }),
    ...(state === undefined ? {} : { state_key: state }),
  };
}

function tell(output: Output, what: string, document: Entity): void {
  output.say(`${what} "${oneLine(document.title)}".`);
  output.data(document, () => `${document.id}\n`);
}

function addCreate(family: Command, host: Host): void {
  type Options = Fields & ContentOptions & { readonly project?: string; readonly parent?: string };
  const create = withFields(inProject(family.command("create <title>").description("make a document")))
    .option("--parent <doc>", "put it below this document")
    .action(
      apiAction<[string, Options]>(host, async ({ api, output }, title, options) => {
        const content = await readContent(host, options);
        const { id: projectId } = await findProjectOrOnly(api, options.project);
        const parent =
          options.parent === undefined
            ? null
            : await findEntity(api, "document", options.parent, { project: projectId, deleted: false });
        const body = {
          title,
          ...bodyOf(options),
          ...(content === undefined ? {} : { content }),
          ...(parent === null ? {} : { parent_id: parent.id }),
        };
        tell(output, "Made document", await api(routes.document.create, { params: { projectId }, body }));
      }),
    );
  examples(create, [
    `doc create "Floor plan" -p Kitchen --file plan.md`,
    `doc create Today -p Kitchen --parent 0198c2a4 --file - < today.md`,
  ]);
}

function addUpdate(family: Command, host: Host): void {
  type Options = Fields & ChangeOptions & { readonly title?: string };
  const update = withVersion(withFields(withProject(family.command("update <doc>").description("change a document"))))
    .option("--title <title>", "its new title")
    .action(
      apiAction<[string, Options]>(host, async (given, ref, options) => {
        const { title } = options;
        const content = await readContent(host, options);
        const change = { title, content, ...bodyOf(options) };
        tell(given.output, "Changed document", await changeEntity(given, "document", ref, options, change));
      }),
    );
  examples(update, ["doc update 0198c2a4 --file plan.md", "doc update 0198c2a4 --state published"]);
}

function addMove(family: Command, host: Host): void {
  type Options = ProjectOption & { readonly parent?: string; readonly top?: true };
  const move = withProject(family.command("move <doc>").description("put a document somewhere else in the tree"))
    .option("--parent <doc>", "below this document")
    .option("--top", "to the top of the tree")
    .action(
      apiAction<[string, Options]>(host, async ({ api, output }, ref, options) => {
        if ((options.parent === undefined) === (options.top === undefined))
          throw new AppError("invalid_request", "Say where to: either --parent DOC or --top");
        const found = await findEntity(api, "document", ref, { project: options.project, deleted: false });
        const place = { project: found.project_id, deleted: false };
        const parent = options.parent === undefined ? null : await findEntity(api, "document", options.parent, place);
        const params = { projectId: found.project_id, entityId: found.id };
        const body = { parent_id: parent?.id ?? null };
        tell(output, "Moved document", await api(routes.documents.move, { params, body }));
      }),
    );
  examples(move, ["doc move 0198c2a4 --parent 0198c2b7", "doc move 0198c2a4 --top"]);
}
