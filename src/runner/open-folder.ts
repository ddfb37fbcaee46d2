// What the store, the journal and the transactions of a run's folder share: where it is, who works there, and the folder while it is locked.

import type { ProcessIdentity } from "../files/process-identity.ts";
import type { Env } from "../lib/env.ts";
import type { Disk } from "./disk.ts";
import type { Draft } from "./folder-tx.ts";
import type { JournalLine } from "./run-file.ts";

export type FolderOptions = {
  readonly folder: string;
  readonly disk: Disk;
  readonly env: Env;
  /** Who works here; a lease belongs to a process, and ends with it. */
  readonly self: ProcessIdentity;
  readonly isAlive: (process: ProcessIdentity) => boolean;
};

/** What an entry may write: whole files, all of them or none, together with its line in the journal. */
export type FolderWrites = { readonly put: (name: string, text: string) => void };

/** An open folder, locked: the draft, and what may be done to the files. */
export type OpenFolder = {
  readonly draft: Draft;
  readonly append: (line: JournalLine) => void;
  /** Where a file of the run stands; `staged` while its line is not written. */
  readonly place: (name: string, staged?: string) => string;
};
