// `homework task …`: what is to be done in a project.

import type { Command } from "commander";
import type { Entity } from "../../protocol/api.ts";
import { sortsOfKind } from "../../protocol/kinds.ts";
import {
  addEntityBin,
  addEntityCreate,
  addEntityList,
  addEntityUpdate,
  type ChangeOptions,
  changeEntity,
  type EntityFamily,
  getEntity,
  nameable,
  type ProjectOption,
  withProject,
  withVersion,
} from "../entity.ts";
import { apiAction } from "../invocation.ts";
import { addFamily, choice, examples, wholeNumber } from "../options.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";
import { dateIn, parseDueDate } from "../time-words.ts";

const tasksIn = (timeZone: string): EntityFamily => ({
  kind: "task",
  word: "task",
  list: {
    description: "list the tasks of a project",
    nothing: "No such tasks.",
    columns: [
      { title: "PRIO", value: ({ priority }) => (priority === null ? "" : String(priority)) },
      { title: "DUE", value: ({ due_at }) => dateIn(due_at, timeZone) },
    ],
    addOptions: (command) =>
      command.addOption(choice("--sort <order>", "what comes first", sortsOfKind("task")).default("updated")),
  },
  addFields: (command) =>
    command
      .option("--priority <1-5>", "1 is most urgent", wholeNumber(1, 5))
      .option("--due <day>", "when it is due, such as 2030-01-31", parseDueDate(timeZone)),
  examples: {
    list: ["task list -p Kitchen", "task list -p Kitchen --state todo --all --json"],
    create: [
      `task create "Measure the walls" -p Kitchen`,
      `task create "Order tiles" -p Kitchen --priority 1 --due 2030-01-31`,
    ],
    update: ["task update 0198c2a4 --state in_progress", "task update 0198c2a4 --file notes.md --if-version 2"],
  },
});

export function addTaskCommands(program: Command, host: Host): void {
  const family = addFamily(program, "task", "tasks of a project");
  const tasks = tasksIn(host.timeZone);
  addEntityList(family, host, tasks);
  addShow(family, host);
  addEntityCreate(family, host, tasks);
  addEntityUpdate(family, host, tasks);
  addDone(family, host);
  addEntityBin(family, host, tasks);
}

function addShow(family: Command, host: Host): void {
  const show = withProject(nameable(family.command("show [task]").description("show one task"))).action(
    apiAction<[string | undefined, ProjectOption]>(host, async (given, ref, place) => {
      const task = await getEntity(given, "task", ref, place);
      given.output.data(task, () => renderTask(given.output, task, host.timeZone));
    }),
  );
  examples(show, ["task show 0198c2a4", "task show 0198c2a4 -p Kitchen --json"]);
}

function addDone(family: Command, host: Host): void {
  const done = withVersion(
    withProject(nameable(family.command("done [task]").description("mark a task as done"))),
  ).action(
    apiAction<[string | undefined, ChangeOptions]>(host, async (given, ref, options) => {
      const task = await changeEntity(given, "task", ref, options, { state_key: "done" });
      given.output.done(task, `Done: "${oneLine(task.title)}".`);
    }),
  );
  examples(done, ["task done 0198c2a4"]);
}

function renderTask(output: Output, task: Entity, timeZone: string): string {
  const given = (name: string, value: string): [string, string][] => (value === "" ? [] : [[name, value]]);
  const fields = output.fields([
    ["Title", task.title],
    ["Id", task.id],
    ["Project", task.project_id],
    ["State", task.state_key],
    ...given("Priority", task.priority === null ? "" : String(task.priority)),
    ...given("Due", dateIn(task.due_at, timeZone)),
    ["Changed", output.ago(task.updated_at)],
    ...given("In the bin", task.deleted_at === null ? "" : `since ${dateIn(task.deleted_at, timeZone)}`),
    ["Version", String(task.version)],
    ...given("About", task.description),
  ]);
  return task.content === "" ? fields : `${fields}\n${output.text(task.content)}`;
}
