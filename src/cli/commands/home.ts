// `homework` alone: what needs you, what finished lately, what is running, and what one would type next.

import { type Command, CommanderError } from "commander";
import { didYouMean } from "../../lib/nearest.ts";
import { type Escalation, type RunSummary, routes } from "../../protocol/api.ts";
import { type ApiInvocation, type ServiceInvocation, serviceAction, useConnection } from "../invocation.ts";
import type { Host } from "../ports.ts";
import { type Home, renderHome } from "../runs/home-text.ts";

/** More are in `homework list`. */
const shownMax = 5;

/** Must be called last: the commands above do not take arguments they do not know. */
export function addHome(program: Command, host: Host): void {
  const show = serviceAction<[object]>(host, showHome);
  program
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async (options: object, command: Command) => {
      const [strange] = command.args;
      if (strange !== undefined) throw unknownWord(program, strange);
      await show(options, command);
    });
}

function unknownWord(program: Command, word: string): CommanderError {
  const isOption = word.startsWith("-");
  const known = isOption
    ? program.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]))
    : program.commands.map((command) => command.name());
  const what = isOption ? "option" : "command";
  const message = `error: unknown ${what} '${word}'.${didYouMean(word, known)}`.replace(/\.$/, "");
  return new CommanderError(1, isOption ? "commander.unknownOption" : "commander.unknownCommand", message);
}

async function showHome(given: ServiceInvocation): Promise<void> {
  if (await isUnused(given)) return tell(given, { needs_you: [], escalations: [], finished: [], running: [] });
  await useConnection(given, await given.services.connect(), async (connected) =>
    tell(given, await readHome(connected)),
  );
}

const tell = ({ output }: ServiceInvocation, home: Home) => output.data(home, () => renderHome(output, home));

/** Making a database only to say that it is empty would take seconds. */
async function isUnused({ services, host }: ServiceInvocation): Promise<boolean> {
  if ((await services.findServer()) !== null) return false;
  const { kind, running, address } = await services.database.status();
  return kind === "embedded" && !running && !(await host.files.exists(address));
}

async function readHome({ api }: ApiInvocation): Promise<Home> {
  const runs = async (group: "needs_you" | "active" | "finished"): Promise<readonly RunSummary[]> =>
    (await api(routes.runs.list, { query: { group, limit: shownMax } })).items;
  const questions = async (): Promise<readonly Escalation[]> =>
    (await api(routes.escalations.listAll, { query: { group: "open", limit: shownMax } })).items;
  const [needsYou, running, finished, escalations] = await Promise.all([
    runs("needs_you"),
    runs("active"),
    runs("finished"),
    questions(),
  ]);
  return { needs_you: needsYou, escalations, finished, running };
}
