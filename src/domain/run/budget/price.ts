// Where the price of a model's answer comes from, best first. An answer without a known price is unpriced, which is not
// the same as free.

export const priceSources = ["provider", "table", "free", "unpriced", "reservation"] as const;
export type PriceSource = (typeof priceSources)[number];
