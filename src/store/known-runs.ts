// Runs that this process has worked on, as it left their rows. At the end of an iteration most of them are still so, and only
// what they spent has to be read again; at the beginning of the next one nothing has to be read at all. Nothing is believed of
// them that the row's revision, or its version in the statement that changes it, does not confirm.

import type { Run, RunId } from "../domain/run/run.ts";
import type { KnownRun } from "./run-read.ts";

/** Far more than a worker has at once, since many others may have their turn in between; who does not come back is forgotten. */
const knownMax = 2_000;

export class KnownRuns {
  readonly #runs = new Map<RunId, KnownRun>();

  find(id: RunId): KnownRun | undefined {
    return this.#runs.get(id);
  }

  forget(id: RunId): void {
    this.#runs.delete(id);
  }

  /** As it is written now. One that does not run any more is of no use here. */
  keep(run: Run, revision: number, freeVersion: string | null): void {
    this.#runs.delete(run.id);
    if (run.state.status !== "running") return;
    this.#runs.set(run.id, { revision, run, freeVersion });
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > knownMax && oldest !== undefined) this.#runs.delete(oldest);
  }
}
