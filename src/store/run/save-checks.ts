// The checks of a run as they are now, each with its last proof; those it had and has no more are removed.

import { statementIn, type Tx } from "../../db/database.ts";
import { withNext } from "../../db/guarded-pool.ts";
import type { Run } from "../../domain/run/run.ts";
import { toJson } from "../json.ts";

const saveChecksText = `${withNext}
  with dropped as (
    delete from homework_run_checks k where k.run_id = $1::uuid
      and not exists (select from jsonb_array_elements($2::jsonb) c where c->>'id' = k.check_id)
  )
  insert into homework_run_checks (run_id, check_id, position, deliverable_id, target, given_by, proof)
  select $1::uuid, c->>'id', (c->>'position')::int, c->>'deliverableId', c->'target', c->>'givenBy', nullif(c->'proof', 'null')
    from jsonb_array_elements($2::jsonb) c
  on conflict (run_id, check_id) do update set position = excluded.position, deliverable_id = excluded.deliverable_id,
    target = excluded.target, given_by = excluded.given_by, proof = excluded.proof`;

export async function saveChecks(tx: Tx, { id, checks, lastProofs }: Run): Promise<void> {
  const rows = checks.map((check, position) => ({
    ...check,
    position,
    proof: lastProofs.find(({ checkId }) => checkId === check.id) ?? null,
  }));
  await statementIn(tx)(saveChecksText, [id, toJson(rows)]);
}
