// Which documents are working notes: the pages that a run keeps for itself (src/domain/workspace/pages.ts; the database has
// the same list in `is_working_note`). A page of such a type that a person made is the person's.

import { type RawBuilder, sql } from "kysely";

/** `document`: the alias of a row of onto_documents in the statement. */
export const isWorkingNote = (document: string): RawBuilder<boolean> =>
  sql<boolean>`is_working_note(${sql.ref(`${document}.created_by_run`)}, ${sql.ref(`${document}.type_key`)})`;
