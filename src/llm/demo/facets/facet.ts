// One side of an objective that is looked into: what to ask, what there is to choose from, how to begin, what can go wrong,
// and the task that comes of it. `{topic}` stands for what the objective is about.

export type Facet = {
  readonly title: string;
  /** Two ways to begin, so that not every page does alike. */
  readonly leads: readonly [string, string];
  readonly questions: readonly string[];
  /** What there is to choose from, and what speaks for it or against it. */
  readonly options: readonly (readonly [string, string])[];
  readonly steps: readonly string[];
  /** What can go wrong, and what helps. */
  readonly risks: readonly (readonly [string, string])[];
  readonly checklist: readonly string[];
  readonly task: FacetTask;
};

export type FacetTask = {
  readonly title: string;
  readonly description: string;
  /** 1 is most urgent. */
  readonly priority: 1 | 2 | 3 | 4 | 5;
};
