// What the scripted provider has counted, kept outside of the database: one append-only file per worker process. The oracle
// that the product's own ledger is compared with, so nothing of the product writes or reads it.

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const entry = z.discriminatedUnion("kind", [
  /** A model was asked; the provider counts from here on, whether or not anyone hears the answer. */
  z.object({ kind: z.literal("call"), callId: z.string(), costMicroUsd: z.number(), reservedMicroUsd: z.number() }),
  /** Something in the outside world that must not happen twice. */
  z.object({ kind: z.literal("effect"), key: z.string() }),
]);
export type LedgerEntry = z.infer<typeof entry>;

/** Appends for this process; a line is one write, which a kill cannot cut. */
export function openLedger(folder: string): (line: LedgerEntry) => void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${process.pid}.jsonl`);
  return (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
}

export function readLedger(folder: string): readonly LedgerEntry[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) =>
    readFileSync(path.join(folder, name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => entry.parse(JSON.parse(line))),
  );
}
