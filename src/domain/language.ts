// Which language a text is written in, as far as we have words of our own in it: by its commonest words. Pure; a guess, so
// only headings and short sentences depend on it.

export const languages = ["en", "de", "fr", "es"] as const;
export type Language = (typeof languages)[number];

/** For a sentence to a model. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: "English",
  de: "German",
  fr: "French",
  es: "Spanish",
};

/** Words that are frequent in one language and rare in the other three; words two of them share would say nothing. */
const stopWords: Readonly<Record<Language, string>> = {
  en: "the and of to is are was for with this that from my your we you it on by what how which should please write make find compare into about each an i do does all have has can be not our their at if or as",
  de: "der die das und ist sind ein eine einen einem einer mit für von zu zum zur den dem des auf nicht ich wir sie mir mein meine unser unsere bitte wie was welche soll sollen schreibe schreib erstelle mache finde vergleiche über auch oder aus bei nach im vom als wenn kann werden wird dass jede jeden drei",
  fr: "le les et est sont un une des du avec pour dans sur ce cette ces nous vous je mon ma mes notre nos votre il elle qui quoi quel quelle comment écris écrire rédige fais trouve compare au aux pas ou plus leur leurs être peut chaque si dois chez",
  es: "el los las y es son un una unos con para por en del al que qué cómo cuál este esta estos mi mis nuestro nuestra su sus nosotros escribe haz encuentra compara sobre no o más cada puede debe ser hay lo se como muy desde hasta",
};

/** The beginning says it; an objective may be a book. */
const wordsMax = 400;
/** Letters that only one of them uses weigh as much as a word. */
const ownLetters: Readonly<Record<Language, RegExp>> = {
  en: /(?!)/,
  de: /[äöüß]/,
  fr: /[èêëàâîïôûùç]|œ/,
  es: /[ñ¿¡áíó]/,
};

/** English where nothing says otherwise, or two are equally likely. */
export function detectLanguage(text: string): Language {
  const words = (
    text
      .slice(0, 8_000)
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}]+|[¿¡]/gu) ?? []
  ).slice(0, wordsMax);
  const scoreOf = (language: Language): number => {
    const frequent = new Set(stopWords[language].split(" "));
    return words.reduce((sum, word) => sum + Number(frequent.has(word)) + Number(ownLetters[language].test(word)), 0);
  };
  const scores = languages.map((language) => ({ language, score: scoreOf(language) }));
  const [first, second] = scores.toSorted((a, b) => b.score - a.score);
  return first && second && first.score > second.score ? first.language : "en";
}
