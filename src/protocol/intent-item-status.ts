// How far a part of an outcome's intent is, as people are shown it. Pure.

import type { Outcome } from "./api.ts";

type Item = Outcome["intent"]["items"][number];

/** Two clean reviews found nothing missing, so all parts of an achieved outcome are done. */
export const intentItemStatus = ({ status }: Pick<Outcome, "status">, item: Pick<Item, "status">): Item["status"] =>
  status === "achieved" ? "done" : item.status;
