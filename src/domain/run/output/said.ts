// What the model itself said, out of what its program printed: unwrapped from a JSON envelope, and without what tools,
// events and others said in between. Whatever is not the model's own word is left out, never guessed at.

import { isRecord, readJson } from "../../../lib/json.ts";

/** An envelope that is larger is not opened; the text in it is then no text of its own. */
const envelopeMax = 5_000_000;
/** An answer in a string in an answer: no known format nests deeper than this. */
const envelopesMax = 3;
/** The event with the answer ends the stream; a few may come after it. */
const lastEventsMax = 20;

/** Elements in which others are quoted. */
const quoting = "tool_result|tool_output|tool_response|function_results?|event|stdout|stderr|system-reminder";

/** Empty where it said nothing, or where its program reports an error in the place of an answer. */
export function saidByModel(output: string): string {
  return withoutQuotes(unwrapped(output, envelopesMax));
}

function unwrapped(output: string, envelopesLeft: number): string {
  const text = output.trim();
  if (envelopesLeft === 0 || text.length > envelopeMax || !/^[{["]/.test(text)) return output;
  const whole = readJson(text);
  if (typeof whole === "string") return unwrapped(whole, envelopesLeft - 1);
  const events = Array.isArray(whole) ? whole.filter(isRecord) : isRecord(whole) ? [whole] : streamed(text);
  const answer = events.slice(-lastEventsMax).findLast((event) => "result" in event);
  if (!answer) return isStream(events) ? "" : output;
  if (answer.is_error === true) return "";
  return unwrapped(
    typeof answer.result === "string" ? answer.result : JSON.stringify(answer.result),
    envelopesLeft - 1,
  );
}

/** One event per line. A single line of something else makes it a text that happens to begin with a brace. */
function streamed(text: string): readonly Record<string, unknown>[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (!lines.every((line) => line.startsWith("{"))) return [];
  // The last ones only: a line that was cut off is no event, and the answer stands at the end.
  return lines.slice(-lastEventsMax).map(readJson).filter(isRecord);
}

/** Events name their type; the model's own JSON does not. */
function isStream(events: readonly Record<string, unknown>[]): boolean {
  return events.length > 0 && events.every((event) => typeof event.type === "string");
}

/** An element that is never closed quotes to the end. */
function withoutQuotes(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { 0: tag, 1: name, index } of text.matchAll(new RegExp(`<(${quoting})(?:\\s[^<>]{0,500})?>`, "gi"))) {
    if (index < from) continue;
    kept.push(text.slice(from, index));
    const close = text.indexOf(`</${name}>`, index + tag.length);
    if (close === -1) return kept.join("");
    from = close + `</${name}>`.length;
  }
  return [...kept, text.slice(from)].join("");
}
