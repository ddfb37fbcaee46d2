// How much may be asked of one task of an outcome. Apart from the schemas, so that pages can say it without loading these.

export const splitPartsMax = 15;

/** How large what a person writes of a task may get. */
export const taskLimits = {
  title: 300,
  description: 20_000,
  priority: 1_000,
  attempts: 20,
  gates: 10,
  gateLabel: 300,
  given: 10_000,
  splitParts: splitPartsMax,
} as const;
