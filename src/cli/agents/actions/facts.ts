// `run-agent facts …`: facts of a task and of its project.

import { AppError } from "../../../lib/app-error.ts";
import { type Fact, readFacts, writeFact } from "../../../runner/layout/facts.ts";
import { quote, requireRunId } from "../../../runner/layout/ids.ts";
import { requireProject, requireTask } from "../../../runner/layout/locate.ts";
import { speakerOf } from "../agent-options.ts";
import { requireGivenText } from "../given-text.ts";
import type { AgentInvocation } from "../invocation.ts";
import { placeOf, scopeOf } from "../place.ts";

/** Stands where a fact names its run. */
const byPerson = "user";

export type AddFactOptions = { readonly file?: string; readonly run?: string };

export async function listFacts(given: AgentInvocation): Promise<void> {
  const { output } = given;
  const facts = factsHere(given);
  output.data({ facts }, () =>
    facts.length === 0
      ? ""
      : output.table(facts, [
          { title: "SCOPE", value: ({ scope }) => scope || "-" },
          { title: "FILE", value: ({ file }) => file },
          { title: "WRITTEN", value: ({ created_at: at }) => (at === "" ? "-" : output.ago(at)) },
          { title: "TITLE", value: ({ title, text }) => title || (text.trim().split("\n")[0] ?? ""), flexible: true },
        ]),
  );
  if (facts.length === 0) output.say("No facts yet. Add one: run-agent facts add <title> <text>");
  for (const { problem } of facts) if (problem !== null) output.warn(problem);
}

/** Of the project first, then of the task. */
function factsHere(given: AgentInvocation): readonly Fact[] {
  const { root, ids } = placeOf(given);
  if (ids.project === null)
    throw new AppError("invalid_request", "No project is known here. Name one with --project, or a task with --task.");
  const task = ids.task === null ? null : requireTask(root, ids.task, ids.project);
  return [...readFacts(root, requireProject(root, ids.project)), ...(task === null ? [] : readFacts(root, task))];
}

export async function showFact(given: AgentInvocation, text: string): Promise<void> {
  const facts = factsHere(given);
  const exact = facts.filter(({ file, title }) => file === text || plain(title) === plain(text));
  const isNamed = ({ file, title }: Fact) => file.includes(text) || plain(title).includes(plain(text));
  const [found, ...more] = exact.length > 0 ? exact : facts.filter(isNamed);
  if (found === undefined) throw new AppError("not_found", `There is no fact ${quote(text)}. See: run-agent facts`);
  if (more.length > 0)
    throw new AppError(
      "invalid_request",
      `${quote(text)} names ${more.length + 1} facts. Give more of its title or its file name.`,
    );
  given.output.data(found, () => given.output.text(`${found.title === "" ? "" : `# ${found.title}\n\n`}${found.text}`));
  if (found.problem !== null) given.output.warn(found.problem);
}

const plain = (title: string): string => title.trim().toLowerCase();

export async function addFact(
  given: AgentInvocation,
  title: string,
  words: readonly string[],
  options: AddFactOptions,
): Promise<void> {
  const { root, place } = scopeOf(given, undefined);
  const speaker = speakerOf(given, root)?.runId ?? byPerson;
  const text = await requireGivenText(given, { words, file: options.file, what: "the text of the fact" });
  const run = options.run === undefined ? speaker : requireRunId(options.run);
  const file = writeFact(root, place, { title, run_id: run, text: text.endsWith("\n") ? text : `${text}\n` });
  given.output.data({ file, path: `${place.path}/${file}` }, () => `${file}\n`);
}
