// Where the price of a model's answer comes from, best first. What nobody knows a price for is said to be unpriced: that is
// something else than free.

export const priceSources = ["provider", "table", "free", "unpriced", "reservation"] as const;
export type PriceSource = (typeof priceSources)[number];
