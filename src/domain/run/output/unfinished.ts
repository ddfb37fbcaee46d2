// Whether prose says that the work is not finished. Only a hint against the end: it keeps a run from being taken for done because
// its model said nothing in the agreed form, and it never ends or completes one.

/** What a session says about its end stands in its last words. */
const tailMax = 4_000;

const open =
  /\b(?:(?:not|isn't|aren't|never) (?:yet |quite |fully |been )*(?:done|finished|complete[d]?|ready|written)|unfinished|incomplete|still (?:need|needs|have|has|miss|missing|open|lacks?|to (?:do|be|write|come))|remains? (?:to|open|undone)|remaining|(?:is|are) (?:still )?missing|to be (?:done|written|continued)|next (?:iteration|session)|todo)\b|\b(?:noch (?:nicht|offen|zu|ausstehend)|nicht (?:fertig|vollständig|abgeschlossen)|unfertig|unvollständig|fehl(?:t|en)|steht (?:noch )?aus|verbleib\w+)|\b(?:pas (?:encore |tout à fait )?(?:fini|terminé|complet)\w*|incomplet\w*|inachevé\w*|reste(?:nt)? (?:à|encore)|manque(?:nt)?)|\b(?:no (?:está|esta|han) \w*(?:terminad|complet|list)\w*|falta[n]?|pendientes?|incompleto|inacabado)/iu;

/** "Nothing is missing" names what would be. */
const denied =
  /\b(?:nothing|no longer|none|no (?:\p{L}+ ){0,2}(?:remain\w*|missing|left|open|work|steps?|parts?|sections?|chapters?)|nichts|kein\w*|rien|aucun\w*|nada|ningun\w*)\b/iu;

/** The sentence that says so; null where none does. */
export function findUnfinished(text: string): string | null {
  const sentences = text.slice(-tailMax).match(/[^.!?\n]+[.!?]*/g) ?? [];
  return sentences.map((each) => each.trim()).find((each) => open.test(each) && !denied.test(each)) ?? null;
}
