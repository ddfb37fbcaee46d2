// Which names someone may have meant: those that share the most pairs of letters with what they wrote.

/** All that can be done with one kind of thing. */
const shownMax = 6;
/** Below this, two names have no more in common than any two words. */
const likenessMin = 0.35;

export function nearNames(name: string, known: readonly string[]): readonly string[] {
  return known
    .map((candidate) => ({ candidate, likeness: likenessOf(name, candidate) }))
    .filter(({ likeness }) => likeness >= likenessMin)
    .sort((one, other) => other.likeness - one.likeness || (one.candidate < other.candidate ? -1 : 1))
    .slice(0, shownMax)
    .map(({ candidate }) => candidate);
}

/** 1 for the same name, 0 for nothing in common. */
function likenessOf(one: string, other: string): number {
  const mine = pairsOf(one);
  const theirs = pairsOf(other);
  if (mine.size + theirs.size === 0) return 0;
  const shared = [...mine].filter((pair) => theirs.has(pair)).length;
  return (2 * shared) / (mine.size + theirs.size);
}

/** A name has a few dozen letters; of more, the beginning tells enough. */
const lettersMax = 100;

function pairsOf(name: string): ReadonlySet<string> {
  const letters = `_${name
    .slice(0, lettersMax)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")}_`;
  return new Set(Array.from(letters.slice(1), (letter, at) => `${letters[at]}${letter}`));
}
