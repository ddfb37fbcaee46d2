// The answer of a server's tool as text of bounded length. Pictures and other bytes are named, not shown.

import { z } from "zod";
import { visibleText } from "../../domain/policy/fence-text.ts";

const resultMax = 100_000;

const part = z.union([
  z.object({ type: z.literal("text"), text: z.string() }).transform(({ text }) => text),
  z
    .object({ type: z.enum(["image", "audio"]), mimeType: z.string().max(100).catch("unknown") })
    .transform(({ type, mimeType }) => `(${type}, ${mimeType}: not shown)`),
  z
    .object({ type: z.literal("resource"), resource: z.object({ uri: z.string(), text: z.string() }) })
    .transform(({ resource }) => `${resource.uri}:\n${resource.text}`),
  z
    .object({ type: z.literal("resource_link"), uri: z.string() })
    .transform(({ uri }) => `(a link to ${uri.slice(0, 1_000)})`),
  z.object({ type: z.string().max(100) }).transform(({ type }) => `(${type}: not shown)`),
]);

const result = z.object({
  content: z.array(z.unknown()).catch([]),
  structuredContent: z.unknown().optional(),
  toolResult: z.unknown().optional(),
  isError: z.boolean().catch(false),
});

export function renderResult(answer: unknown): { readonly text: string; readonly isError: boolean } {
  const { content, structuredContent, toolResult, isError } = result.parse(answer);
  const parts = content.map((entry) => part.safeParse(entry).data ?? "(not readable)");
  const other = structuredContent ?? toolResult;
  const whole = parts.length > 0 ? parts.join("\n\n") : other === undefined ? "" : JSON.stringify(other);
  const text = visibleText(whole.slice(0, resultMax));
  const cut = whole.length > resultMax ? "\n\n(The answer is longer; this is its beginning.)" : "";
  return { text: `${text || "(an empty answer)"}${cut}`, isError };
}
