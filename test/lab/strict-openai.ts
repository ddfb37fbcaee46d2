// What OpenAI's responses and the chat protocol refuse, whatever the script says. Behind OpenRouter it is the upstream
// provider that refuses, and its words come as `metadata.raw`. Only tests import it.

import { type LabRequest, type Refusal, record, records, str, textOf } from "./lab-protocol.ts";
import { readSeal } from "./seal.ts";
import { refuseClaude } from "./strict-claude.ts";
import { refuseOpenAiTool } from "./strict-tools.ts";

const bad = (rule: string, message: string): Refusal => ({ rule, status: 400, message });

/** `requiredBy` tells which reasoning item a call that the lab once sent has to come back with. */
export function refuseResponses(
  { raw, account }: LabRequest,
  requiredBy: (itemId: string) => string | undefined,
  isStateless: boolean,
): Refusal | null {
  const body = record(raw);
  const input = records(body.input);
  const tools = records(body.tools).filter(({ type }) => type === "function");
  for (const [at, { name, parameters, strict }] of tools.entries()) {
    const tool = { name: str(name), schema: record(parameters), isStrict: strict === true };
    const problem = refuseOpenAiTool(tool, `tools[${at}].name`);
    if (problem !== null) return { ...problem, status: 400, code: "invalid_function_parameters" };
  }
  return (
    refusePairs(input) ??
    refuseReferences(body, input, requiredBy, isStateless) ??
    refuseMissingReasoning(input, requiredBy) ??
    refuseCiphertext(input, account)
  );
}

function refusePairs(input: readonly Record<string, unknown>[]): Refusal | null {
  const idsOf = (type: string, items: readonly Record<string, unknown>[]) =>
    items.filter((item) => item.type === type).map((item) => str(item.call_id));
  for (const [at, item] of input.entries()) {
    const id = str(item.call_id);
    if (item.type === "function_call_output" && !idsOf("function_call", input.slice(0, at)).includes(id))
      return bad("misplaced-result", `No tool call found for function call output with call_id ${id}.`);
    if (item.type === "function_call" && !idsOf("function_call_output", input.slice(at)).includes(id))
      return bad("call-without-result", `No tool output found for function call ${id}.`);
  }
  return null;
}

/** What was not stored cannot be referred to. */
function refuseReferences(
  body: Record<string, unknown>,
  input: readonly Record<string, unknown>[],
  requiredBy: (itemId: string) => string | undefined,
  isStateless: boolean,
): Refusal | null {
  const isKept = (id: string) => !isStateless && body.store !== false && requiredBy(id) !== undefined;
  const notFound = (id: string): Refusal => ({
    rule: "reference",
    status: 404,
    message: `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
  });
  if (str(body.previous_response_id) !== "") return notFound(str(body.previous_response_id));
  const lost = input.find(
    (item) =>
      (item.type === "item_reference" && !isKept(str(item.id))) ||
      (item.type === "reasoning" && typeof item.encrypted_content !== "string" && !isKept(str(item.id))),
  );
  return lost === undefined ? null : notFound(str(lost.id));
}

function refuseMissingReasoning(
  input: readonly Record<string, unknown>[],
  requiredBy: (itemId: string) => string | undefined,
): Refusal | null {
  const ids = new Set(input.map(({ id }) => str(id)));
  for (const { type, id } of input) {
    const required = type === "function_call" ? requiredBy(str(id)) : undefined;
    if (required !== undefined && required !== "" && !ids.has(required))
      return bad(
        "call-without-reasoning",
        `Item '${str(id)}' of type 'function_call' was provided without its required 'reasoning' item: '${required}'.`,
      );
  }
  return null;
}

function refuseCiphertext(input: readonly Record<string, unknown>[], account: string): Refusal | null {
  const sealed = input.filter(({ type, encrypted_content: text }) => type === "reasoning" && typeof text === "string");
  const wrong = sealed
    .map((item) => str(item.encrypted_content))
    .find((text) => {
      const seal = readSeal(text);
      return seal?.by !== "openai" || seal.account !== account;
    });
  if (wrong === undefined) return null;
  return {
    rule: "ciphertext",
    status: 400,
    code: "invalid_encrypted_content",
    message: `The encrypted content ${wrong.slice(0, 8)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
  };
}

export function refuseChat(request: LabRequest, isNewest: boolean): Refusal | null {
  const body = record(request.raw);
  const isClaude = request.provider === "openrouter" && request.model.startsWith("anthropic/");
  const refusal =
    refuseChatPairs(records(body.messages)) ??
    (isClaude ? refuseClaude(toClaude(body), request.model, isNewest) : refuseChatTools(body));
  return refusal !== null && request.provider === "openrouter" ? fromUpstream(refusal, request.model) : refusal;
}

function refuseChatTools(body: Record<string, unknown>): Refusal | null {
  for (const [at, tool] of records(body.tools).entries()) {
    const { name, parameters, strict } = record(tool.function);
    const sent = { name: str(name), schema: record(parameters), isStrict: strict === true };
    const problem = refuseOpenAiTool(sent, `tools[${at}].function.name`);
    if (problem !== null) return { ...problem, status: 400 };
  }
  return null;
}

function refuseChatPairs(messages: readonly Record<string, unknown>[]): Refusal | null {
  let open: readonly string[] = [];
  for (const message of [...messages, { role: "end" } as Record<string, unknown>]) {
    const id = str(message.tool_call_id);
    if (message.role === "tool") {
      if (!open.includes(id))
        return bad(
          "misplaced-result",
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        );
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0)
      return bad(
        "call-without-result",
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`,
      );
    open = records(message.tool_calls).map((call) => str(call.id));
  }
  return null;
}

/** OpenRouter's own shape for what a provider behind it has said. */
export function fromUpstream(refusal: Refusal, model: string): Refusal {
  const upstream = model.split("/")[0] ?? "";
  const names: Readonly<Record<string, string>> = { anthropic: "Anthropic", openai: "OpenAI", google: "Google" };
  const raw = JSON.stringify({ error: { type: "invalid_request_error", message: refusal.message } });
  const metadata = { raw, provider_name: names[upstream] ?? upstream };
  return { ...refusal, body: { error: { message: "Provider returned error", code: refusal.status, metadata } } };
}

/** As OpenRouter hands a chat request on to Claude: what a part is called, and in which message a result stands. */
function toClaude(body: Record<string, unknown>): Record<string, unknown> {
  const messages = records(body.messages);
  const isSystem = ({ role }: Record<string, unknown>) => role === "system" || role === "developer";
  const choice = body.tool_choice;
  return {
    system: messages.filter(isSystem).flatMap(textBlocks),
    messages: messages
      .filter((message) => !isSystem(message))
      .map((message) => ({ role: message.role === "assistant" ? "assistant" : "user", content: toBlocks(message) })),
    tools: records(body.tools).map((tool) => ({
      name: str(record(tool.function).name),
      input_schema: record(record(tool.function).parameters),
      ...readControl(tool),
    })),
    ...readControl(body),
    ...(choice === "required" || typeof choice === "object" ? { tool_choice: { type: "any" } } : {}),
  };
}

const readControl = ({ cache_control: control }: Record<string, unknown>) =>
  control === undefined || control === null ? {} : { cache_control: control };

function toBlocks(message: Record<string, unknown>): readonly object[] {
  if (message.role === "tool") {
    const parts = textBlocks(message);
    const marked = [message, ...parts].map(readControl).find(({ cache_control: control }) => control !== undefined);
    return [
      { type: "tool_result", tool_use_id: str(message.tool_call_id), content: textOf(message.content), ...marked },
    ];
  }
  const calls = records(message.tool_calls).map((call) => ({
    type: "tool_use",
    id: str(call.id),
    name: str(record(call.function).name),
  }));
  return [...textBlocks(message), ...calls];
}

/** A mark on a message stands for one on its last part. OpenRouter leaves empty text out, as it must. */
function textBlocks(message: Record<string, unknown>): readonly Record<string, unknown>[] {
  const { content } = message;
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : records(content);
  return parts
    .filter((part) => part.type !== "text" || str(part.text) !== "")
    .map((part, at) => ({ ...part, ...(at === parts.length - 1 ? readControl(message) : {}) }));
}
