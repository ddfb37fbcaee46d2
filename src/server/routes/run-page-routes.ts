// The parts of a run that its page opens one by one, and what one's last runs came to. A run is found as its user first, so that those of others are not there.

import { changedFields, type FieldChange } from "../../domain/change-set/fields.ts";
import { toStagedChange, type WrittenRow } from "../../domain/change-set/staged-write.ts";
import { routes } from "../../protocol/api.ts";
import { iterationUse, runOutput, runSource, scratchpadNote } from "../../protocol/routes/run-parts.ts";
import { decodeCursor, toPage } from "../../store/cursor.ts";
import { readEntryContents, readEntryLines } from "../../store/run-view/run-entry-store.ts";
import { usualRun } from "../../store/run-view/run-list-store.ts";
import { findOutput, listOutputs, type RunOutput } from "../../store/run-view/run-output-store.ts";
import { listScratchpad, listUse } from "../../store/run-view/run-page-store.ts";
import { listSources } from "../../store/run-view/run-source-store.ts";
import { lastEventSeq } from "../../store/run-view/run-view-store.ts";
import { toWireField } from "../change-wire.ts";
import { orderEntries } from "../entry-lines.ts";
import { toWireEntry } from "../entry-text.ts";
import { type MountDeps, mountUser, type UserRequest } from "../mount.ts";
import { foundOrThrow, missing, toWirePage, wireOf } from "../wire.ts";

export function mountRunPageRoutes(deps: MountDeps): void {
  mountUser(deps, routes.runParts.entries, listEntries);

  mountUser(deps, routes.runParts.outputs, async ({ tx, params: { runId }, query }) => {
    if ((await lastEventSeq(tx, runId)) === null) throw missing("run");
    const { limit, cursor, bookkeeping } = query;
    const isBookkeeping = bookkeeping === undefined ? undefined : bookkeeping === "true";
    return toWirePage(await listOutputs(tx, runId, { limit, cursor, isBookkeeping }), toWireOutput);
  });

  mountUser(deps, routes.runParts.output, async ({ tx, params: { runId, entityId } }) => {
    if ((await lastEventSeq(tx, runId)) === null) throw missing("run");
    const { output, row } = foundOrThrow(await findOutput(tx, runId, entityId), "output of this run");
    return {
      output: toWireOutput(output),
      fields: fieldsOf(output, row).map((field) => toWireField(field, Number.POSITIVE_INFINITY)),
    };
  });

  mountUser(deps, routes.runParts.scratchpad, async ({ tx, params: { runId }, query }) => {
    if ((await lastEventSeq(tx, runId)) === null) throw missing("run");
    return toWirePage(await listScratchpad(tx, runId, query), toWireNote);
  });

  mountUser(deps, routes.runParts.sources, async ({ tx, params: { runId }, query }) => {
    if ((await lastEventSeq(tx, runId)) === null) throw missing("run");
    return toWirePage(await listSources(tx, runId, query), toWireSource);
  });

  mountUser(deps, routes.runParts.series, async ({ tx, params: { runId } }) => {
    if ((await lastEventSeq(tx, runId)) === null) throw missing("run");
    return { items: (await listUse(tx, runId)).map(toWireUse) };
  });

  mountUser(deps, routes.runParts.estimate, async ({ tx }) => {
    const { runs, costMicroUsd, iterations, runningMs, tokens } = await usualRun(tx);
    return { runs, cost_micro_usd: costMicroUsd, iterations, running_ms: runningMs, tokens };
  });
}

/** Entries are few; their contents are long: these are read for the page alone. */
async function listEntries({ tx, params: { runId, iteration }, query }: UserRequest<typeof routes.runParts.entries>) {
  const lines = foundOrThrow(await readEntryLines(tx, runId, iteration), "iteration of a run");
  const entries = orderEntries(lines).map((entry, at) => ({ entry, at }));
  const from = decodeCursor("entries", "number", query.cursor)?.[0] ?? 0;
  const shown = entries.slice(from, from + query.limit + 1);
  const keys = shown.flatMap(({ entry }) => (entry.isJournaled ? [entry.key] : []));
  const contents = await readEntryContents(tx, runId, iteration, keys);
  const page = toPage("entries", shown, query.limit, ({ at }) => [at + 1]);
  return toWirePage(page, ({ entry }) =>
    toWireEntry(entry, entry.isJournaled ? (contents.get(entry.key) ?? null) : null),
  );
}

/** Of what a run removed, everything that was there. */
function fieldsOf({ op }: RunOutput, row: WrittenRow): readonly FieldChange[] {
  if (op !== "deleted" || row.before === null) return changedFields(toStagedChange(row));
  const was = changedFields({ ...row, op: "created", before: null, after: row.before });
  return was.map(({ name, after }) => ({ name, before: after, after: null }));
}

const outputOf = wireOf(runOutput);
/** `isGone`: what was removed has come back, or what was made is not there. */
const toWireOutput = (output: RunOutput) =>
  outputOf({ ...output, isGone: output.isUndone || (output.op === "deleted") === output.isThere });

const toWireNote = wireOf(scratchpadNote);
const toWireSource = wireOf(runSource);
const toWireUse = wireOf(iterationUse);
