// `1st`, `2nd`, `3rd`, `11th`: a place in a line.

const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
const rules = new Intl.PluralRules("en", { type: "ordinal" });

export function ordinal(place: number): string {
  return `${place.toLocaleString("en")}${endings[rules.select(place)]}`;
}
