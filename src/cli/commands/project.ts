// `homework project …`: the projects one belongs to.

import type { Command } from "commander";
import { type Change, type Project, routes } from "../../protocol/api.ts";
import { projectStates } from "../../protocol/kinds.ts";
import { findProject, shortIds } from "../find.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { type ListOptions, showList, withListOptions } from "../list.ts";
import { addFamily, choice, examples, flagOf, wholeNumber } from "../options.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";

type ProjectState = (typeof projectStates)[number];
type Fields = { readonly name?: string; readonly description?: string; readonly state?: ProjectState };

export function addProjectCommands(program: Command, host: Host): void {
  const family = addFamily(program, "project", "your projects");
  addLooking(family, host);
  addWatching(family, host);
  addSaving(family, host);
  addBin(family, host);
}

function addLooking(family: Command, host: Host): void {
  type Options = ListOptions & { readonly state?: ProjectState; readonly deleted?: true };
  const list = family
    .command("list")
    .description("list projects, last changed first")
    .addOption(choice("--state <state>", "only those in this state", projectStates))
    .option("--deleted", "show the bin instead");
  withListOptions(list).action(
    apiAction<[Options]>(host, async ({ api, output }, options) => {
      const { state, deleted } = options;
      const query = { state, deleted: flagOf(deleted) };
      await showList(output, options, (page) => api(routes.projects.list, { query: { ...page, ...query } }), {
        columns: (items) => projectColumns(output, items),
        nothing: deleted ? "The bin is empty." : "No projects yet; make one with: homework project create NAME",
      });
    }),
  );
  examples(list, ["project list", "project list --state active --json"]);

  const show = family
    .command("show <project>")
    .description("show one project, named by id, start of the id, or name")
    .action(
      apiAction<[string, object]>(host, async ({ api, output }, ref) => {
        const project = await findProject(api, ref, { deleted: false });
        output.data(project, () => renderProject(output, project));
      }),
    );
  examples(show, ["project show Kitchen", "project show 0198c2a4 --json"]);
}

function addWatching(family: Command, host: Host): void {
  const watch = family
    .command("watch <project>")
    .description("show changes as they happen, until Ctrl-C; with --json one JSON value a line")
    .option("--since <number>", "start after this change (0: from the beginning)", wholeNumber(0, 2 ** 53 - 1))
    .action(
      apiAction<[string, { readonly since?: number }]>(host, async ({ api, follow, output }, ref, { since }) => {
        const project = await findProject(api, ref, { deleted: false });
        output.say(`Watching ${oneLine(project.name)}; stop with Ctrl-C.`);
        const input = { params: { projectId: project.id }, query: {} };
        const options = { signal: host.stop, ...(since === undefined ? {} : { after: since }) };
        for await (const { data } of follow(routes.projects.stream, input, options))
          output.line(data, () => changeLine(output, data));
      }),
    );
  examples(watch, ["project watch Kitchen", "project watch Kitchen --since 0 --json"]);
}

function changeLine(output: Output, { seq, at, op, kind, title }: Change): string {
  return `${output.paint("dim", `${at.slice(11, 19)}  ${String(seq).padStart(5)}`)}  ${op.padEnd(8)}  ${kind.padEnd(9)}  ${oneLine(title)}`;
}

function withFields(command: Command): Command {
  return command
    .option("-d, --description <text>", "what it is about")
    .addOption(choice("--state <state>", "its state", projectStates));
}

function addSaving(family: Command, host: Host): void {
  const create = withFields(family.command("create <name>").description("create a project")).action(
    apiAction<[string, Fields]>(host, async ({ api, output }, name, { description, state }) => {
      const project = await api(routes.projects.create, { body: { name, description, state_key: state } });
      output.done(project, `Created project ${oneLine(project.name)}.`);
    }),
  );
  examples(create, [`project create "New kitchen"`, `project create Garden --description "Ready by May"`]);

  type Options = Fields & { readonly ifVersion?: number };
  const update = withFields(family.command("update <project>").description("change a project"))
    .option("--name <name>", "its new name")
    .option("--if-version <number>", "only if it still has this version", wholeNumber(1, 2 ** 31))
    .action(
      apiAction<[string, Options]>(host, async ({ api, output }, ref, { ifVersion, name, description, state }) => {
        const found = await findProject(api, ref, { deleted: false });
        const body = { version: ifVersion ?? found.version, name, description, state_key: state };
        const project = await api(routes.projects.update, { params: { projectId: found.id }, body });
        output.done(project, `Changed project ${oneLine(project.name)}.`);
      }),
    );
  examples(update, ["project update Kitchen --state paused", `project update 0198c2a4 --name "Small kitchen"`]);
}

function addBin(family: Command, host: Host): void {
  const move = async ({ api, output }: ApiInvocation, ref: string, verb: "remove" | "restore") => {
    const found = await findProject(api, ref, { deleted: verb === "restore" });
    const project = await api(routes.projects[verb], { params: { projectId: found.id } });
    const name = output.paint("bold", oneLine(project.name));
    output.done(
      project,
      verb === "remove" ? `Put ${name} in the bin; "project restore" takes it out.` : `${name} is back.`,
    );
  };
  const remove = family
    .command("delete <project>")
    .description("put a project in the bin")
    .action(apiAction<[string, object]>(host, (given, ref) => move(given, ref, "remove")));
  examples(remove, ["project delete Kitchen"]);
  const restore = family
    .command("restore <project>")
    .description("take a project out of the bin")
    .action(apiAction<[string, object]>(host, (given, ref) => move(given, ref, "restore")));
  examples(restore, ["project list --deleted", "project restore Kitchen"]);
}

function projectColumns(output: Output, items: readonly Project[]) {
  const short = shortIds(items.map(({ id }) => id));
  return [
    { title: "ID", value: (project: Project) => short(project.id) },
    { title: "STATE", value: (project: Project) => project.state_key },
    { title: "ROLE", value: (project: Project) => project.role },
    { title: "CHANGED", value: (project: Project) => output.ago(project.updated_at) },
    { title: "NAME", value: (project: Project) => project.name, flexible: true },
  ] as const;
}

function renderProject(output: Output, project: Project): string {
  const fields = output.fields([
    ["Name", project.name],
    ["Id", project.id],
    ["State", project.state_key],
    ["Your role", project.role],
    ["Changed", output.ago(project.updated_at)],
    ["Made", output.ago(project.created_at)],
    ["Version", String(project.version)],
  ]);
  return project.description === "" ? fields : `${fields}\n${output.text(project.description)}`;
}
