// Finds the run a person named: by id, by the first characters of its id, or as the `last` one (also `-`).

import type { Command } from "commander";
import { AppError } from "../../lib/app-error.ts";
import { type RunSummary, routes } from "../../protocol/api.ts";
import type { Api } from "../../protocol/client.ts";
import { getIfThere, isLast, isWholeId, pick, prefixMin } from "../find.ts";
import { fetchList } from "../list.ts";
import { cutTo, oneLine } from "../plain-text.ts";

/** Enough of an objective to tell it from others. */
const labelMax = 60;

export const noRunsYet = 'No runs yet: homework run "what you want done"';
const seeYours = "See yours: homework list --all";

const howToName = '\nA run is named by its id, the start of its id, or "last". Without a name it is the last one.';

/** A command about one run: `show [run]`. */
export function runCommand(program: Command, name: string): Command {
  return program.command(`${name} [run]`).addHelpText("after", howToName);
}

/** A command about one run that also takes texts: `steer [run] <message>`; read by `takeNamed`. */
export function runTextCommand(program: Command, name: string, texts: string): Command {
  return program.command(`${name} [words...]`).usage(`[options] [run] ${texts}`).addHelpText("after", howToName);
}

export async function findRun(api: Api, ref = "last"): Promise<RunSummary> {
  if (isLast(ref)) {
    const [last] = (await api(routes.runs.list, { query: { limit: 1 } })).items;
    if (!last) throw new AppError("not_found", noRunsYet);
    return last;
  }
  if (isWholeId(ref)) {
    const found = await getIfThere(api(routes.runs.get, { params: { runId: ref }, query: {} }));
    if (found === null) throw noSuchRun(ref);
    return found.run;
  }
  if (ref.length < prefixMin)
    throw new AppError(
      "invalid_request",
      `"${ref}" is too short: give the id or at least its first ${prefixMin} characters, or "last". ${seeYours}`,
    );
  const { items } = await fetchList<RunSummary>({ limit: 0, all: true }, (page) =>
    api(routes.runs.list, { query: { ...page, archived: "all" } }),
  );
  if (items.length === 0) throw new AppError("not_found", noRunsYet);
  if (!items.some(({ id }) => id.startsWith(ref.toLowerCase()))) throw noSuchRun(ref);
  return pick("run", ref, items, ({ id, objective }) => ({
    id,
    label: cutTo(oneLine(objective), labelMax),
    names: [],
  }));
}

function noSuchRun(ref: string): AppError {
  return new AppError("not_found", `There is no run "${ref}". ${seeYours}`);
}
