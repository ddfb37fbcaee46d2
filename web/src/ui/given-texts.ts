// A text of someone else, from a field to the contract.

/** As the contract wants it. */
export const givenTexts = (text: string): { title: string; text: string }[] =>
  text.trim() === "" ? [] : [{ title: "", text }];
