// What a call of a model is taken to have cost when its answer is lost: what was reserved for it. Without a known price
// that is 0, and then it is said to be unpriced, which is something else than free.

import { sql } from "kysely";

/** How we know, in an update of `llm_usage_logs`. */
export const lostPricedByText = "case when is_unpriced then 'unpriced' else 'reservation' end";
export const lostPricedBy = sql.raw(lostPricedByText);
