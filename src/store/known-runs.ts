// Runs that this process has taken, as it left them: at the end of the iteration most of them are still so, and only what
// they spent has to be read again. Nothing is believed of them that the row's revision does not confirm.

import type { Run, RunId } from "../domain/run/run.ts";
import type { KnownRun } from "./run-read.ts";

/** Far more than a worker has at once; whoever does not come back is forgotten in turn. */
const knownMax = 500;

export class KnownRuns {
  readonly #runs = new Map<RunId, KnownRun>();

  find(id: RunId): KnownRun | undefined {
    return this.#runs.get(id);
  }

  /** As it is written now. One that nobody works on any more is of no use here. */
  keep(run: Run, revision: number, isTaken: boolean): void {
    this.#runs.delete(run.id);
    if (!isTaken) return;
    this.#runs.set(run.id, { revision, run });
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > knownMax && oldest !== undefined) this.#runs.delete(oldest);
  }
}
