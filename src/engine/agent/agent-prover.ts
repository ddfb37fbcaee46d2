// The checks of a run that agents work on: those of the store, files and commands in the work folder, and a reviewer where other runs
// have a judge.

import type { Tx } from "../../db/database.ts";
import { anyFile } from "../../domain/agent/any-file.ts";
import type { Check } from "../../domain/run/checks/check.ts";
import type { RunningRun } from "../../domain/run/run.ts";
import { proveWork } from "../../runner/task/check-work.ts";
import { listChanges } from "../../runner/work/work-folder.ts";
import { Interrupted, type Journal, type Prover } from "../../runs/ports/engine.ts";
import { red, type Seen } from "../look-at.ts";
import { storeProver } from "../prove.ts";
import type { AgentDeps } from "./agent-deps.ts";
import { withOwnHome } from "./agent-home.ts";
import type { AgentSession } from "./agent-session.ts";
import { reviewWork } from "./reviewer.ts";

/** More than a proof has to name. */
const artifactsMax = 200;

export function agentProver(deps: AgentDeps, session: AgentSession): Prover<Tx> {
  const store = storeProver(deps.db, {
    judge: (run, checks, journal) =>
      session.place === null ? Promise.resolve(noPlace) : reviewWork(deps, session.place, run, checks, journal),
    inFolder: (run, check, journal) => lookInFolder(deps, session, run, check, journal),
  });
  return { prove: store.prove, readStates: async () => session.iteration?.readStates() ?? [] };
}

const noPlace = red("the work folder was not opened");

async function lookInFolder(
  deps: AgentDeps,
  { place }: AgentSession,
  run: RunningRun,
  check: Check,
  journal: Journal<Tx>,
): Promise<Seen | null> {
  const { target } = check;
  if (target.kind !== "file_exists" && target.kind !== "command_succeeds") return null;
  if (place === null) return noPlace;
  const { work, task } = place;
  const changed = await listChanges(work);
  const artifacts = changed.slice(0, artifactsMax).map(({ path }) => ({ kind: "file", id: path }));
  if (target.kind === "file_exists" && target.path === anyFile)
    return { isGreen: changed.length > 0, seen: tellChanged(changed.length), artifacts };
  const { surroundings } = withOwnHome(deps.jobs, task, []);
  const checked = {
    jobs: deps.jobs,
    task,
    folder: work.folder,
    variables: plainVariables(surroundings.variables),
    isDone: () => false,
    timeoutMs: deps.times.commandMs,
  };
  const proven = await proveWork({ ...run, checks: [check] }, checked, journal);
  if (proven.kind !== "proven") throw new Interrupted(proven);
  const [proof] = proven.proofs;
  return proof === undefined ? red("it was not run") : { ...proof, artifacts };
}

const tellChanged = (count: number): string =>
  count === 0 ? "this run has changed no file" : `${count} ${count === 1 ? "file" : "files"} changed`;

/** Enough for compilers and tests; no key of anyone. */
const passed = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER"];

const plainVariables = (variables: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    passed.flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
