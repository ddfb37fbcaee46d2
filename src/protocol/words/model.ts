// The name of a model as people say it. Pure.

const makers = new Map([
  ["gpt", "GPT"],
  ["glm", "GLM"],
]);

/** `openrouter/anthropic/claude-sonnet-5.5` is "Claude Sonnet 5.5"; what has no words in it stays as it is. */
export function nameModel(model: string): string {
  const [name = "", variant] = model.split("/").at(-1)?.split(":") ?? [];
  const words = name
    .replace(/(?<=[-_]\d{1,2})-(?=\d{1,2}(?!\d))/, ".")
    .split(/[-_]/)
    .filter((word) => word !== "");
  if (words.length === 0) return model;
  const said = words.map((word) => makers.get(word) ?? `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(" ");
  return variant ? `${said} (${variant})` : said;
}
