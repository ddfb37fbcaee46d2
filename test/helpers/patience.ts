// How long tests wait for what must come. On a machine with other work on it everything takes many times as long, so these are far
// beyond what is usual; only a failure takes all of it.

/** For one thing to happen: a state, a line on a page, an answer. */
export const patienceMs = 240_000;

/** For a whole test, or what is set up for it. */
export const testLimitMs = 1_200_000;

/** A test process that gets no processor for a while keeps its locks; others wait for them instead of failing. */
export const patientDatabase = { connectWithinMs: patienceMs, lockWithinMs: patienceMs };
