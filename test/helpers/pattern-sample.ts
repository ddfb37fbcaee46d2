// A text that a simple regular expression of PostgreSQL matches: enough for the checks of our tables.

export function sampleOfPattern(pattern: string): string {
  return pattern
    .replaceAll(/\((?:[^()]*\|)?([^()|]*)\)/g, "$1")
    .replaceAll(/\[\^[^\]]*\]/g, "a")
    .replaceAll(/\[([^\]])[^\]]*\]/g, "$1")
    .replaceAll(/\\d/g, "7")
    .replaceAll(/\\(.)/g, "$1")
    .replaceAll(".", "x")
    .replaceAll(/\{(\d+)[^}]*\}/g, "")
    .replaceAll(/[\^$+*?]/g, "");
}
