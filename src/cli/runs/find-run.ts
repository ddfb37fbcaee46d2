// Finds the run a person named: by id, by the first characters of its id, or as the `last` one (also `-`).

import type { Command } from "commander";
import { AppError } from "../../lib/app-error.ts";
import type { RunSummary } from "../../protocol/api.ts";
import { routes } from "../../protocol/api.ts";
import { type Api, ApiError } from "../../protocol/client.ts";
import { isWholeId, pick, prefixMin } from "../find.ts";
import { fetchList } from "../list.ts";
import { cutTo, oneLine } from "../plain-text.ts";

/** Enough of an objective to tell it from others. */
const labelMax = 60;

export const noRunsYet = 'No runs yet: homework run "what you want done"';
const seeYours = "See yours: homework list --all";

/** A command about one run: `show <run>`. */
export function runCommand(program: Command, name: string, rest = ""): Command {
  return program
    .command(`${name} <run>${rest}`)
    .addHelpText("after", '\nA run is named by its id, the start of its id, or "last".');
}

export async function findRun(api: Api, ref: string): Promise<RunSummary> {
  if (ref === "last" || ref === "-") return lastRun(api);
  if (isWholeId(ref)) return getRun(api, ref);
  if (ref.length < prefixMin)
    throw new AppError(
      "invalid_request",
      `"${ref}" is too short: give the id or at least its first ${prefixMin} characters, or "last". ${seeYours}`,
    );
  const { items } = await fetchList<RunSummary>({ limit: 0, all: true }, (page) =>
    api(routes.runs.list, { query: page }),
  );
  if (items.length === 0) throw new AppError("not_found", noRunsYet);
  if (!items.some(({ id }) => id.startsWith(ref.toLowerCase()))) throw noSuchRun(ref);
  return pick("run", ref, items, ({ id, objective }) => ({
    id,
    label: cutTo(oneLine(objective), labelMax),
    names: [],
  }));
}

async function lastRun(api: Api): Promise<RunSummary> {
  const { items } = await api(routes.runs.list, { query: { limit: 1 } });
  const [last] = items;
  if (!last) throw new AppError("not_found", noRunsYet);
  return last;
}

async function getRun(api: Api, runId: string): Promise<RunSummary> {
  try {
    return (await api(routes.runs.get, { params: { runId }, query: {} })).run;
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === "not_found") throw noSuchRun(runId);
    throw thrown;
  }
}

function noSuchRun(ref: string): AppError {
  return new AppError("not_found", `There is no run "${ref}". ${seeYours}`);
}
