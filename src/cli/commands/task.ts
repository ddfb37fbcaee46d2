// `homework task …`: what is to be done in a project.

import type { Command } from "commander";
import type { EntitySummary } from "../../protocol/api.ts";
import { routes } from "../../protocol/api.ts";
import { kindSpecs } from "../../protocol/kinds.ts";
import {
  addEntityBin,
  type ChangeOptions,
  type ContentOptions,
  changeEntity,
  entityColumns,
  inProject,
  type ProjectOption,
  readContent,
  renderEntity,
  withContent,
  withProject,
  withVersion,
} from "../entity.ts";
import { findEntity, findProjectOrOnly } from "../find.ts";
import { apiAction } from "../invocation.ts";
import { type ListOptions, showList, withListOptions } from "../list.ts";
import { addFamily, choice, examples, wholeNumber } from "../options.ts";
import { oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";
import type { Column } from "../table.ts";
import { dateIn, parseDueDate } from "../time-words.ts";

const { states } = kindSpecs.task;

type Fields = {
  readonly description?: string;
  readonly state?: string;
  readonly priority?: number;
  readonly due?: string;
};

export function addTaskCommands(program: Command, host: Host): void {
  const family = addFamily(program, "task", "tasks of a project");
  addList(family, host);
  addShow(family, host);
  addCreate(family, host);
  addUpdate(family, host);
  addEntityBin(family, host, "task", "task");
}

const taskColumns = (timeZone: string): readonly Column<EntitySummary>[] => [
  { title: "PRIO", value: ({ priority }) => (priority === null ? "" : String(priority)) },
  { title: "DUE", value: ({ due_at }) => dateIn(due_at, timeZone) },
];

function addList(family: Command, host: Host): void {
  type Options = ListOptions & {
    readonly project?: string;
    readonly state?: string;
    readonly sort: "updated" | "created" | "title";
    readonly deleted?: true;
  };
  const list = inProject(family.command("list").description("list the tasks of a project"))
    .addOption(choice("--state <state>", "only those in this state", states))
    .addOption(choice("--sort <order>", "what comes first", ["updated", "created", "title"]).default("updated"))
    .option("--deleted", "show the bin instead");
  withListOptions(list).action(
    apiAction<[Options]>(host, async ({ api, output }, options) => {
      const { id: projectId } = await findProjectOrOnly(api, options.project);
      const { state, sort, deleted } = options;
      const query = { ...(state ? { state } : {}), sort, deleted: deleted ? "true" : "false" } as const;
      await showList(
        output,
        options,
        (page) => api(routes.task.list, { params: { projectId }, query: { ...page, ...query } }),
        {
          columns: (items) => entityColumns(output, items, taskColumns(host.timeZone)),
          nothing: deleted ? "The bin is empty." : "No such tasks.",
        },
      );
    }),
  );
  examples(list, ["task list -p Kitchen", "task list -p Kitchen --state todo --all --json"]);
}

function addShow(family: Command, host: Host): void {
  const show = withProject(family.command("show <task>").description("show one task")).action(
    apiAction<[string, ProjectOption]>(host, async ({ api, output }, ref, { project }) => {
      const found = await findEntity(api, "task", ref, { project, deleted: false });
      const task = await api(routes.task.get, { params: { projectId: found.project_id, entityId: found.id } });
      output.data(task, () => renderEntity(output, task, host.timeZone));
    }),
  );
  examples(show, ["task show 0198c2a4", "task show 0198c2a4 -p Kitchen --json"]);
}

function withFields(command: Command, { timeZone }: Host): Command {
  return withContent(command)
    .option("-d, --description <text>", "one line about it")
    .addOption(choice("--state <state>", "its state", states))
    .option("--priority <1-5>", "1 is most urgent", wholeNumber(1, 5))
    .option("--due <day>", "when it is due, such as 2030-01-31", parseDueDate(timeZone));
}

function bodyOf({ description, state, priority, due }: Fields) {
  return {
    ...(description === undefined ? {} : { description }),
    ...(state === undefined ? {} : { state_key: state }),
    ...(priority === undefined ? {} : { priority }),
    ...(due === undefined ? {} : { due_at: due }),
  };
}

function addCreate(family: Command, host: Host): void {
  type Options = Fields & ContentOptions & { readonly project?: string };
  const create = withFields(inProject(family.command("create <title>").description("make a task")), host).action(
    apiAction<[string, Options]>(host, async ({ api, output }, title, options) => {
      const content = await readContent(host, options);
      const { id: projectId } = await findProjectOrOnly(api, options.project);
      const body = { title, ...bodyOf(options), ...(content === undefined ? {} : { content }) };
      const task = await api(routes.task.create, { params: { projectId }, body });
      output.say(`Made task "${oneLine(task.title)}".`);
      output.data(task, () => `${task.id}\n`);
    }),
  );
  examples(create, [
    `task create "Measure the walls" -p Kitchen`,
    `task create "Order tiles" -p Kitchen --priority 1 --due 2030-01-31`,
  ]);
}

function addUpdate(family: Command, host: Host): void {
  type Options = Fields & ChangeOptions & { readonly title?: string };
  const update = withVersion(
    withFields(withProject(family.command("update <task>").description("change a task")), host),
  )
    .option("--title <title>", "its new title")
    .action(
      apiAction<[string, Options]>(host, async (given, ref, options) => {
        const { title } = options;
        const content = await readContent(host, options);
        const task = await changeEntity(given, "task", ref, options, { title, content, ...bodyOf(options) });
        given.output.say(`Changed task "${oneLine(task.title)}".`);
        given.output.data(task, () => `${task.id}\n`);
      }),
    );
  examples(update, ["task update 0198c2a4 --state in_progress", "task update 0198c2a4 --file notes.md"]);

  const done = withVersion(withProject(family.command("done <task>").description("mark a task as done"))).action(
    apiAction<[string, ChangeOptions]>(host, async (given, ref, options) => {
      const task = await changeEntity(given, "task", ref, options, { state_key: "done" });
      given.output.say(`Done: "${oneLine(task.title)}".`);
      given.output.data(task, () => `${task.id}\n`);
    }),
  );
  examples(done, ["task done 0198c2a4"]);
}
