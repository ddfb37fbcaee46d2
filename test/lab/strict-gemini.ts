// What the Gemini API refuses, whatever the script says. Only tests import it.

import { type LabRequest, type Refusal, record, records, str } from "./lab-protocol.ts";

const bad = (rule: string, message: string): Refusal => ({ rule, status: 400, message });

export function refuseGemini({ raw, model, wantsJson, tools }: LabRequest): Refusal | null {
  const wrong = tools.find((name) => !/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name));
  if (wrong !== undefined)
    return bad(
      "tool-name",
      `GenerateContentRequest.tools[0].function_declarations[${tools.indexOf(wrong)}].name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.`,
    );
  if (wantsJson && tools.length > 0 && /^gemini-[12]\b/.test(model))
    return bad("json-with-tools", "Function calling with a response mime type: 'application/json' is unsupported");
  return refuseTurns(records(record(raw).contents));
}

type Turn = { readonly role: string; readonly calls: number; readonly responses: number };

/** A turn of calls follows a user's words or responses, and is followed by as many responses. */
function refuseTurns(contents: readonly Record<string, unknown>[]): Refusal | null {
  const turns = contents.map((content): Turn => {
    const parts = records(content.parts);
    const countOf = (key: string) => parts.filter((part) => part[key] !== undefined).length;
    return { role: str(content.role), calls: countOf("functionCall"), responses: countOf("functionResponse") };
  });
  for (const [at, turn] of turns.entries()) {
    const { calls: before = 0 } = turns[at - 1] ?? {};
    const { responses: after = 0 } = turns[at + 1] ?? {};
    if (turn.calls > 0 && (at === 0 || turns[at - 1]?.role === "model"))
      return bad(
        "misplaced-call",
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
      );
    if (turn.calls > 0 && after !== turn.calls)
      return bad(
        "call-without-result",
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
      );
    if (turn.responses > 0 && before === 0)
      return bad(
        "misplaced-result",
        "Please ensure that function response turn comes immediately after a function call turn.",
      );
  }
  return null;
}
