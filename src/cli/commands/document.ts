// `homework doc …`: the documents of a project, as a list or as the tree they form.

import type { Command } from "commander";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import {
  addEntityBin,
  addEntityCreate,
  addEntityList,
  addEntityUpdate,
  type EntityFamily,
  getEntity,
  inProject,
  nameable,
  type ProjectOption,
  withProject,
} from "../entity.ts";
import { findEntity, findProjectOrOnly, shortIds } from "../find.ts";
import { apiAction } from "../invocation.ts";
import { addFamily, examples, flagOf } from "../options.ts";
import { oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";

const documents: EntityFamily = {
  kind: "document",
  word: "doc",
  list: {
    description: "list the documents of a project; with --all also the working notes of runs",
    nothing: "No documents.",
    columns: [],
    addOptions: (command) => command,
  },
  addFields: (command) => command,
  examples: {
    list: ["doc list -p Kitchen", "doc list -p Kitchen --state published --json"],
    create: [
      `doc create "Floor plan" -p Kitchen --file plan.md`,
      `doc create Today -p Kitchen --parent 0198c2a4 --file - < today.md`,
    ],
    update: ["doc update 0198c2a4 --file plan.md --if-version 4", "doc update 0198c2a4 --state published"],
  },
};

export function addDocumentCommands(program: Command, host: Host): void {
  const family = addFamily(program, "doc", "documents of a project");
  addEntityList(family, host, documents);
  addTree(family, host);
  addShow(family, host);
  addEntityCreate(family, host, documents);
  addEntityUpdate(family, host, documents);
  addMove(family, host);
  addEntityBin(family, host, documents);
}

function addTree(family: Command, host: Host): void {
  type Options = { readonly project?: string; readonly all?: true };
  const tree = inProject(family.command("tree").description("show how the documents are nested"))
    .option("-a, --all", "also the working notes of runs")
    .action(
      apiAction<[Options]>(host, async ({ api, output }, options) => {
        const { id: projectId } = await findProjectOrOnly(api, options.project);
        const query = { include_working_notes: flagOf(options.all) };
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

type Node = { readonly id: string; readonly title: string; readonly parent_id: string | null };

/** One line per document, children below their parent; a document whose parent is not there stands at the top. */
function renderTree(nodes: readonly Node[], label: (node: Node) => string): string {
  const known = new Set(nodes.map(({ id }) => id));
  const tops = nodes.filter(({ parent_id }) => parent_id === null || !known.has(parent_id));
  const childrenOf = Map.groupBy(nodes, ({ parent_id }) => parent_id);
  const linesBelow = (parent: Node, indent: string): readonly string[] => {
    const children = childrenOf.get(parent.id) ?? [];
    return children.flatMap((child, at) => {
      const last = at === children.length - 1;
      const line = `${indent}${last ? "└─ " : "├─ "}${label(child)}\n`;
      return [line, ...linesBelow(child, `${indent}${last ? "   " : "│  "}`)];
    });
  };
  return tops.flatMap((top) => [`${label(top)}\n`, ...linesBelow(top, "")]).join("");
}

function addShow(family: Command, host: Host): void {
  const show = withProject(
    nameable(family.command("show [doc]").description("print the markdown of a document")),
  ).action(
    apiAction<[string | undefined, ProjectOption]>(host, async (given, ref, place) => {
      const document = await getEntity(given, "document", ref, place);
      given.output.say(`${given.output.paint("bold", oneLine(document.title))}, version ${document.version}`);
      given.output.data(document, () => given.output.text(document.content));
    }),
  );
  examples(show, ["doc show 0198c2a4", "doc show 0198c2a4 --quiet > plan.md"]);
}

function addMove(family: Command, host: Host): void {
  type Options = ProjectOption & { readonly parent?: string; readonly top?: true };
  const move = withProject(family.command("move [doc]").description("put a document somewhere else in the tree"))
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
        const moved = await api(routes.documents.move, { params, body });
        output.done(moved, `Moved document "${oneLine(moved.title)}".`);
      }),
    );
  examples(move, ["doc move 0198c2a4 --parent 0198c2b7", "doc move 0198c2a4 --top"]);
}
