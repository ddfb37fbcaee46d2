// What a person has spent of a quota, in words. Pure.

import { dollars } from "../../../../src/protocol/figures.ts";

export const toMicro = (amount: number) => Math.round(amount * 1_000_000);

type Spent = { readonly cost_usd_this_month: number; readonly reserved_usd: number };

/** `$1.04`, `$1.04 + $0.36 reserved`. */
export function describeSpent({ cost_usd_this_month: all, reserved_usd: reserved }: Spent): string {
  const spent = dollars(Math.max(0, toMicro(all) - toMicro(reserved)));
  return reserved === 0 ? spent : `${spent} + ${dollars(toMicro(reserved))} reserved`;
}
