// What is planted in one simulated outcome of 20 tasks: which waits for which, facts that several tasks need and none knows at first,
// and points that only a person can decide. Also how likely each mishap is. Chance goes by what it is about, so that an outcome with
// HOMЯ and one without it meet the same luck wherever they do the same.

export const taskCount = 20;

/** How likely things are, for workers and models alike. Nothing in it depends on whether HOMЯ is on. */
export type Chances = {
  /** Facts, and open points; each concerns a few tasks. */
  readonly facts: number;
  readonly points: number;
  /** An attempt goes off course, passes its checks and is wrong. */
  readonly drifts: number;
  /** An attempt fails for reasons of its own. */
  readonly fails: number;
  /** Without a fact that it needs, an attempt fails; otherwise it finds a way around at half the cost again. */
  readonly failsWithoutFact: number;
  /** What it failed of, it says. */
  readonly names: number;
  /** A worker reads in the work of a task it waited for what that one has met. */
  readonly readsFact: number;
  /** On top of wrong work: wrong itself, or failed. */
  readonly inherits: number;
  readonly failsOnWrong: number;
  /** Without the person's decision a point is guessed wrongly. */
  readonly guessesWrong: number;
  /** A worker in doubt asks by itself: the answer is that run's alone. */
  readonly asks: number;
  /** A task that corrects mends what it is to mend. */
  readonly mends: number;
  /** The observer notices: wrong work by its cause, facts, and doubts; and tells which tasks need them. */
  readonly seesDrift: number;
  readonly seesInherited: number;
  readonly seesGuess: number;
  readonly seesFact: number;
  readonly seesDoubt: number;
  readonly namesTask: number;
  /** It takes good work for wrong, something useless for a fact, nothing for a doubt. */
  readonly falseDrift: number;
  readonly falseFact: number;
  readonly falseDoubt: number;
  /** A review finds a piece of wrong work; it finds fault with good work. */
  readonly reviews: number;
  readonly falseFinding: number;
};

export const usualChances: Chances = {
  facts: 4,
  points: 2,
  drifts: 0.12,
  fails: 0.08,
  failsWithoutFact: 0.7,
  names: 0.7,
  readsFact: 0.5,
  inherits: 0.5,
  failsOnWrong: 0.2,
  guessesWrong: 0.5,
  asks: 0.3,
  mends: 0.85,
  seesDrift: 0.75,
  seesInherited: 0.5,
  seesGuess: 0.3,
  seesFact: 0.8,
  seesDoubt: 0.7,
  namesTask: 0.75,
  falseDrift: 0.04,
  falseFact: 0.1,
  falseDoubt: 0.03,
  reviews: 0.7,
  falseFinding: 0.05,
};

/** A sentence that several tasks need: a fact of the world, or what the person decides at an open point. */
export type Needed = {
  /** What it is about; whoever knows no more than this does not know it. */
  readonly subject: string;
  readonly text: string;
  readonly tasks: readonly number[];
};

export type OutcomePlan = {
  readonly chances: Chances;
  readonly dependsOn: ReadonlyMap<number, readonly number[]>;
  readonly facts: readonly Needed[];
  readonly points: readonly Needed[];
  readonly luck: Luck;
};

/** Between 0 and 1, the same for the same words. */
type Luck = (...about: readonly (string | number)[]) => number;

export function planOutcome(seed: number, chances: Chances): OutcomePlan {
  const luck: Luck = (...about) => hashed(`${seed}/${about.join("/")}`);
  const numbers = Array.from({ length: taskCount }, (_, n) => n + 1);
  const earlier = (number: number, n: number) => 1 + Math.floor(luck("dependency", number, n) * (number - 1));
  const dependsOn = new Map(
    numbers.map((number) => {
      const count = number === 1 ? 0 : Math.floor(luck("dependencies", number) * 3);
      return [number, [...new Set(Array.from({ length: count }, (_, n) => earlier(number, n)))]];
    }),
  );
  const needed = (what: string, count: number): readonly Needed[] =>
    Array.from({ length: count }, (_, n) => ({
      subject: `${what} ${n + 1} of outcome ${seed}`,
      text: `${what} ${n + 1} of outcome ${seed} is that part ${1_000 + n} has to be used in its second form`,
      tasks: numbers.filter((number) => luck(what, n, number) < neededBy),
    }));
  return { chances, luck, dependsOn, facts: needed("fact", chances.facts), points: needed("point", chances.points) };
}

/** Four of twenty. */
const neededBy = 0.2;

function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
