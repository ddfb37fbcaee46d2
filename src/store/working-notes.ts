// Which documents are working notes: the pages that a run keeps for itself (src/domain/workspace/pages.ts). A page of such a
// type that a person made is the person's.

import { type RawBuilder, sql } from "kysely";
import { workingNoteTypes } from "../domain/workspace/pages.ts";

/** `document`: the alias of a row of onto_documents in the statement. */
export const isWorkingNote = (document: string): RawBuilder<boolean> => sql<boolean>`
  (${sql.ref(`${document}.created_by_run`)} is not null and ${sql.ref(`${document}.type_key`)} = any (${workingNoteTypes}::text[]))`;
