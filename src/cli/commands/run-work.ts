// `homework diff`, `homework merge` and `homework discard`: what the agents of a run did to files, and what becomes of it.

import type { Command } from "commander";
import { noticedHeading } from "../../domain/agent/work.ts";
import { type RunSummary, routes } from "../../protocol/api.ts";
import { counted } from "../../protocol/figures.ts";
import { Ended } from "../exit-code.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { examples } from "../options.ts";
import { cutTo, oneLine, withoutEscapes } from "../plain-text.ts";
import type { Host } from "../ports.ts";
import { findRun, runCommand } from "../runs/find-run.ts";
import { canAsk } from "../runs/questions.ts";

export function addWorkCommands(program: Command, host: Host): void {
  const diff = runCommand(program, "diff")
    .description("show what the agents of a run changed: commits, files and the diff")
    .summary("show what the agents of a run changed")
    .action(
      apiAction<[string | undefined, object]>(host, async (given, ref) =>
        showWork(given, (await findRun(given.api, ref)).id),
      ),
    );
  examples(diff, ["diff", "diff 0198c2a4 --json"]);

  const merge = runCommand(program, "merge")
    .description(
      "merge the branch of an agent's run into the branch that is checked out in its repository; conflicts are shown, and nothing is done then",
    )
    .summary("merge the branch of an agent's run")
    .action(
      apiAction<[string | undefined, object]>(host, async (given, ref) =>
        mergeWork(given, (await findRun(given.api, ref)).id),
      ),
    );
  examples(merge, ["merge", "merge 0198c2a4"]);

  const discard = runCommand(program, "discard")
    .description("remove the branch of an agent's run and its folder: its work is gone")
    .summary("discard the branch of an agent's run")
    .option("-y, --yes", "do it without asking")
    .action(
      apiAction<[string | undefined, { readonly yes?: true }]>(host, async (given, ref, { yes }) =>
        discardWork(given, await findRun(given.api, ref), yes === true),
      ),
    );
  examples(discard, ["discard --yes"]);
}

async function showWork({ api, output }: ApiInvocation, runId: string): Promise<void> {
  const { work } = await api(routes.runs.work, { params: { runId } });
  if (work === null) output.say("No agent has worked on this run.");
  output.data(work, () => {
    if (work === null) return "";
    const commits = work.record?.commits.map(({ id, title }) => `${id.slice(0, 10)} ${oneLine(title)}`) ?? [];
    const where = work.repository === null ? "its own folder" : oneLine(work.repository);
    const head = `${oneLine(work.branch)} in ${where} on ${oneLine(work.host)} (${work.state})`;
    const noticed = (work.record?.noticed ?? []).map((each) => `  ${oneLine(each)}`);
    const beside = noticed.length === 0 ? [] : [`${noticedHeading}:`, ...noticed];
    return `${[head, ...commits, ...beside, ""].join("\n")}\n${withoutEscapes(work.diff)}`;
  });
}

async function mergeWork({ api, output }: ApiInvocation, runId: string): Promise<void> {
  const merged = await api(routes.runs.merge, { params: { runId } });
  output.data(merged, () =>
    merged.kind === "conflicts" ? merged.files.map((file) => `${oneLine(file)}\n`).join("") : "",
  );
  if (merged.kind === "merged")
    return output.say(`Merged into ${oneLine(merged.into)} (${merged.commit.slice(0, 10)}).`);
  if (merged.kind === "conflicts")
    output.warn(
      `Not merged: ${counted(merged.files.length, "file")} changed on both sides. Merge the branch by hand, or commit and run it again.`,
    );
  else output.warn(`Not merged. ${withoutEscapes(merged.why)}`);
  throw new Ended("failed");
}

async function discardWork(
  given: ApiInvocation,
  { id: runId, objective }: Pick<RunSummary, "id" | "objective">,
  isSure: boolean,
): Promise<void> {
  const { api, output, host } = given;
  if (!isSure) {
    const typed = canAsk(given)
      ? await host.terminal.ask(
          `Remove the branch of “${cutTo(oneLine(objective), 60)}” (${runId.slice(0, 8)}) with all its work? [y/N] `,
          host.stop,
        )
      : null;
    if (!/^y(es)?$/i.test(typed?.trim() ?? "")) return output.say("Nothing was done. Confirm with --yes.");
  }
  const discarded = await api(routes.runs.discard, { params: { runId } });
  output.data(discarded, () => "");
  if (discarded.kind === "discarded") return output.say("The branch and its folder are removed.");
  output.warn(`Not discarded. ${withoutEscapes(discarded.why)}`);
  throw new Ended("failed");
}
