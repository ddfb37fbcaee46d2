// The jobs of deliveries: what the store needs of the queue, and what a job of a delivery says.

import type { Tx } from "../../db/database.ts";
import type { DeliveryId } from "../../domain/channel/channel.ts";

export type DeliveryJob = {
  readonly kind: "deliver";
  readonly key: string;
  readonly data: { readonly delivery_id: string };
  readonly notBeforeMs: number | null;
  readonly isNews: boolean;
};

/** What the store needs of the queue, in the same transaction. */
export type DeliveryJobs = { readonly enqueue: (tx: Tx, job: DeliveryJob) => Promise<void> };

/** One open job per delivery. */
export const deliveryJob = (id: DeliveryId, notBeforeMs: number | null): DeliveryJob => ({
  kind: "deliver",
  key: `deliver:${id}`,
  data: { delivery_id: id },
  notBeforeMs,
  isNews: notBeforeMs === null,
});
