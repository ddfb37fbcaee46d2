// The name of a model as people say it. Pure.

const makers = new Map([
  ["gpt", "GPT"],
  ["glm", "GLM"],
]);

/** `openrouter/anthropic/claude-sonnet-5.5` is "Claude Sonnet 5.5"; what has no words in it stays as it is. */
export function nameModel(model: string): string {
  const last = model.split("/").at(-1)?.split(":")[0] ?? "";
  const words = last.split(/[-_]/).filter((word) => word !== "");
  if (words.length === 0) return model;
  return words.map((word) => makers.get(word) ?? `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(" ");
}
