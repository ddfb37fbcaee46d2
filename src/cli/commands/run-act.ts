// `homework answer`, `steer`, `pause`, `resume`, `cancel` and `fork`: what a person does to a run.

import { type Command, InvalidArgumentError } from "commander";
import { runLimits } from "../../domain/run/limits.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Run, routes } from "../../protocol/api.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { examples, wholeNumber } from "../options.ts";
import type { Host } from "../ports.ts";
import { findRun, runCommand, runTextCommand } from "../runs/find-run.ts";
import { type Answer, askAll, canAsk, givenAnswers, howToAnswer, questionText } from "../runs/questions.ts";
import { type BudgetOptions, budgetsOf, type ModelOptions, withBudgets, withModels } from "../runs/run-options.ts";
import { runStatusWords } from "../runs/status-words.ts";
import { type Texts, takeNamed } from "../take-named.ts";

export function addRunActCommands(program: Command, host: Host): void {
  addAnswer(program, host);
  addSteer(program, host);
  addStop(program, host, "pause", "pause a run; resume continues where it was", sayResume);
  addResume(program, host);
  addStop(program, host, "cancel", "end a run for good", () => "Canceled.");
  addFork(program, host);
}

const answerTexts: Texts = { min: 0, max: 1, example: 'homework answer "The red tiles"' };
const steerTexts: Texts = { min: 1, max: 1, example: 'homework steer "Leave the floor as it is"' };

function addAnswer(program: Command, host: Host): void {
  type Options = { readonly question?: readonly Answer[] };
  const answer = runTextCommand(program, "answer", "[text]")
    .description("answer the questions of a run; without an answer, asks them one by one")
    .summary("answer the questions of a run")
    .option("--question <id=text>", "the answer to one of several questions; may be repeated", oneAnswer)
    .action(
      apiAction<[readonly string[], Options]>(host, async (given, words, { question = [] }) => {
        const { thing, texts } = await takeNamed(words, answerTexts, (ref) => findRun(given.api, ref));
        const [text] = texts;
        const { id: runId } = thing;
        const { run } = await given.api(routes.runs.get, { params: { runId }, query: {} });
        if (run.status !== "waiting_on_user")
          throw new AppError("wrong_status", `The run has no open question (${runStatusWords(run)})`, {
            details: { status: run.status },
          });
        const answers = await answersFor(given, run, text, question);
        const body = { answers: [...answers] };
        await tell(given, "Answered.", await given.api(routes.runs.respond, { params: { runId }, body }));
      }),
    );
  examples(answer, [
    `answer "The red tiles"`,
    `answer last --question q1="The red tiles" --question q2=2`,
    "answer 0198c2a4",
  ]);
}

async function answersFor(
  given: ApiInvocation,
  run: Run,
  text: string | undefined,
  byId: readonly Answer[],
): Promise<readonly Answer[]> {
  if (text !== undefined || byId.length > 0) return givenAnswers(run, text, byId);
  const questions = run.questions.map(questionText).join("\n");
  if (!canAsk(given))
    throw new AppError("invalid_request", `The run asks:\n${questions}\nAnswer with: ${howToAnswer(run, run.id)}`);
  const answers = await askAll(given, run.questions);
  if (answers === null)
    throw new AppError("invalid_request", "Nothing was sent. The run needs an answer to every question.");
  return answers;
}

function oneAnswer(text: string, before: readonly Answer[] = []): readonly Answer[] {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError('Give it as id=text, such as q1="The red tiles".');
  return [...before, { question_id: text.slice(0, at), text: text.slice(at + 1) }];
}

function addSteer(program: Command, host: Host): void {
  const steer = runTextCommand(program, "steer", "<message>")
    .description("add guidance; the run reads it before its next model call")
    .summary("add guidance to a run")
    .action(
      apiAction<[readonly string[], object]>(host, async (given, words) => {
        const { thing, texts } = await takeNamed(words, steerTexts, (ref) => findRun(given.api, ref));
        const [message = ""] = texts;
        const text = (message === "-" ? await host.terminal.readInput() : message).trim();
        if (text === "") throw new AppError("invalid_request", "The message is empty");
        const run = await given.api(routes.runs.steer, { params: { runId: thing.id }, body: { message: text } });
        const told =
          run.id === thing.id
            ? "Guidance added. The run reads it before its next model call."
            : "That run has ended. A follow-up begins from its files.";
        await tell(given, told, run);
      }),
    );
  examples(steer, [`steer "Leave the floor as it is"`, "steer 0198c2a4 - < notes.md"]);
}

const sayResume = ({ id }: Run) => `Paused. Resume with: homework resume ${id}`;

function addStop(
  program: Command,
  host: Host,
  name: "pause" | "cancel",
  description: string,
  done: (run: Run) => string,
): void {
  const command = runCommand(program, name)
    .description(description)
    .action(
      apiAction<[string | undefined, object]>(host, async ({ api, output }, ref) => {
        const { id: runId } = await findRun(api, ref);
        const run = await api(routes.runs[name], { params: { runId } });
        output.done(run, done(run));
      }),
    );
  examples(command, [name, `${name} 0198c2a4`]);
}

function addResume(program: Command, host: Host): void {
  const resume = withBudgets(
    runCommand(program, "resume").description("resume a paused or stopped run, with higher limits if it reached them"),
  )
    .summary("resume a paused or stopped run")
    .action(
      apiAction<[string | undefined, BudgetOptions]>(host, async (given, ref, options) => {
        const { id: runId } = await findRun(given.api, ref);
        const body = { budgets: budgetsOf(options) };
        await tell(given, "Resumed.", await given.api(routes.runs.resume, { params: { runId }, body }));
      }),
    );
  examples(resume, ["resume", "resume --max-iterations 40 --max-cost 5"]);
}

function addFork(program: Command, host: Host): void {
  type Options = BudgetOptions & ModelOptions & { readonly iteration?: number; readonly objective?: string };
  const fork = withModels(
    withBudgets(
      runCommand(program, "fork")
        .description("start a new run from an iteration of this one")
        .summary("start a new run from an old one")
        .option(
          "--iteration <number>",
          "start after this iteration (the last one that ended)",
          wholeNumber(1, runLimits.iterations),
        )
        .option("--objective <text>", "a different objective"),
    ),
  ).action(
    apiAction<[string | undefined, Options]>(host, async (given, ref, options) => {
      const { id: runId } = await findRun(given.api, ref);
      const { iteration, objective, model } = options;
      const body = { iteration, objective, budgets: budgetsOf(options), models: model };
      await tell(given, "Started a new run.", await given.api(routes.runs.fork, { params: { runId }, body }));
    }),
  );
  examples(fork, [
    "fork",
    "fork --model openai/gpt-5 --max-cost 2",
    `fork 0198c2a4 --iteration 3 --objective "The same without the floor"`,
  ]);
}

/** Also says what has to be running for the run to go on. */
async function tell({ services, output }: ApiInvocation, done: string, run: Run): Promise<void> {
  output.say(done);
  if ((await services.findServer()) === null)
    output.say(`The run works while Homework is running: homework start, or homework watch ${run.id}`);
  else output.say(`Follow the run with: homework watch ${run.id}`);
  output.data(run, () => `${run.id}\n`);
}
