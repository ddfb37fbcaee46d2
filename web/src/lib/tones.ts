// The colours that mean something, by their meaning. Amber is for what needs the user and red for what failed, and both have
// no other name here (test/style-sheets.test.ts); style sheets have `--needs-you` and `--failure` of global.css.

export const tone = {
  needsYou: "amber",
  failure: "red",
  passed: "green",
  atWork: "blue",
  /** Neither good nor bad: stopped, waiting by itself, a remark. */
  plain: "gray",
  /** What weighs more than the rest without having failed: the last click before something is gone, "critical". */
  strong: "ink",
} as const;
