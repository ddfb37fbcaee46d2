// What the Claude API refuses, whatever the script says. Bodies are read in its own shape; OpenRouter's are turned into it
// first. Consecutive messages of one role count as one, as they do there. Only tests import it.

import { type Refusal, record, records, str } from "./lab-protocol.ts";
import { hasRootUnion, type SentTool } from "./strict-tools.ts";

type ClaudeVersion = { readonly family: string; readonly version: number };

const newest: ClaudeVersion = { family: "sonnet", version: 99 };

/** Null: no Claude that we know; only the rules that hold for all of them count. */
function readClaudeVersion(model: string, isNewest: boolean): ClaudeVersion | null {
  const found = /claude-(opus|sonnet|haiku|fable)-(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model);
  if (found === null) return isNewest ? newest : null;
  return { family: found[1] ?? "", version: Number(`${found[2]}.${found[3] ?? 0}`) };
}

type Message = { readonly role: string; readonly content: readonly Record<string, unknown>[] };

type Claude = {
  readonly body: Record<string, unknown>;
  readonly version: ClaudeVersion | null;
  readonly messages: readonly Message[];
  readonly tools: readonly SentTool[];
};

type Rule = { readonly rule: string; readonly find: (claude: Claude) => string | null };

export function refuseClaude(body: Record<string, unknown>, model: string, isNewest: boolean): Refusal | null {
  const tools = records(body.tools).map((tool) => ({
    name: str(tool.name),
    schema: record(tool.input_schema),
    isStrict: false,
  }));
  const claude = { body, version: readClaudeVersion(model, isNewest), messages: mergeRoles(body.messages), tools };
  for (const { rule, find } of rules) {
    const message = find(claude);
    if (message !== null) return { rule, status: 400, message };
  }
  return null;
}

/** Content as blocks, neighbours of one role together. */
function mergeRoles(value: unknown): readonly Message[] {
  const merged: { role: string; content: Record<string, unknown>[] }[] = [];
  for (const { role, content } of records(value)) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : [...records(content)];
    const last = merged.at(-1);
    if (last?.role === role) last?.content.push(...blocks);
    else merged.push({ role: str(role), content: blocks });
  }
  return merged;
}

const isAtLeast = (claude: Claude, version: number): boolean => (claude.version?.version ?? 0) >= version;
const blocksOf = (message: Message | undefined, type: string) =>
  (message?.content ?? []).filter((block) => block.type === type);

const rules: readonly Rule[] = [
  {
    rule: "blank-text",
    find: ({ body, messages }) => {
      const system = typeof body.system === "string" ? [] : records(body.system);
      const texts = [...system, ...messages.flatMap((message) => blocksOf(message, "text"))].map(({ text }) =>
        str(text),
      );
      if (texts.includes("")) return "messages: text content blocks must be non-empty";
      return texts.some((text) => text.trim() === "")
        ? "messages: text content blocks must contain non-whitespace text"
        : null;
    },
  },
  {
    rule: "assistant-last",
    find: (claude) =>
      isAtLeast(claude, 4.6) && claude.messages.at(-1)?.role === "assistant"
        ? "This model does not support assistant message prefill. The conversation must end with a user message."
        : null,
  },
  { rule: "id-pattern", find: ({ messages }) => findBadId(messages) },
  { rule: "call-without-result", find: ({ messages }) => findOpenCall(messages) },
  { rule: "misplaced-result", find: ({ messages }) => findMisplacedResult(messages) },
  { rule: "tool-name", find: ({ tools }) => findBadName(tools) },
  {
    rule: "root-schema",
    find: ({ tools }) => {
      const at = tools.findIndex(hasRootUnion);
      return at < 0
        ? null
        : `tools.${at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
    },
  },
  { rule: "cache-marks", find: ({ body }) => findBadMarks(body) },
  {
    rule: "sampling",
    find: (claude) => {
      const found = ["temperature", "top_p", "top_k"].find((name) => claude.body[name] !== undefined);
      return isAtLeast(claude, 4.7) && found !== undefined ? `\`${found}\` is not supported for this model.` : null;
    },
  },
  { rule: "thinking-type", find: findBadThinking },
  { rule: "forced-tool", find: findForcedTool },
  { rule: "missing-thinking", find: findMissingThinking },
];

function findBadId(messages: readonly Message[]): string | null {
  for (const [at, message] of messages.entries())
    for (const [index, block] of message.content.entries()) {
      const [place, id] =
        block.type === "tool_use"
          ? ["tool_use.id", block.id]
          : block.type === "tool_result"
            ? ["tool_result.tool_use_id", block.tool_use_id]
            : ["", "none"];
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(str(id)))
        return `messages.${at}.content.${index}.${place}: String should match pattern '^[a-zA-Z0-9_-]+$'`;
    }
  return null;
}

/** Results count only where they stand first in the next message. */
function findOpenCall(messages: readonly Message[]): string | null {
  for (const [at, message] of messages.entries()) {
    const ids = blocksOf(message, "tool_use").map(({ id }) => str(id));
    if (new Set(ids).size < ids.length) return `messages.${at}: \`tool_use\` ids must be unique`;
    const next = messages[at + 1]?.content ?? [];
    const other = next.findIndex(({ type }) => type !== "tool_result");
    const answered = next.slice(0, other < 0 ? undefined : other).map((block) => str(block.tool_use_id));
    const open = ids.filter((id) => !answered.includes(id));
    if (open.length > 0)
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  }
  return null;
}

function findMisplacedResult(messages: readonly Message[]): string | null {
  for (const [at, message] of messages.entries()) {
    const ids = blocksOf(message, "tool_result").map((block) => str(block.tool_use_id));
    const called = blocksOf(messages[at - 1], "tool_use").map(({ id }) => str(id));
    const foreign = ids.find((id) => !called.includes(id));
    if (foreign !== undefined)
      return `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${foreign}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined)
      return `messages.${at}.content.1: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`;
  }
  return null;
}

function findBadName(tools: readonly SentTool[]): string | null {
  for (const [at, { name, schema }] of tools.entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      return `tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    if (Object.keys(record(schema.properties)).some((key) => !/^[\w.-]{1,64}$/.test(key)))
      return `tools.${at}.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
  }
  const names = tools.map(({ name }) => name);
  return new Set(names).size < names.length ? "tools: Tool names must be unique." : null;
}

/** In the order in which a prefix is read; an automatic mark is the last one. */
function readMarks(body: Record<string, unknown>): readonly ("5m" | "1h")[] {
  const blocks = [
    ...records(body.tools),
    ...records(body.system),
    ...mergeRoles(body.messages).flatMap(({ content }) =>
      content.flatMap((block) => [...records(block.content), block]),
    ),
    body,
  ];
  return blocks
    .filter((block) => block.cache_control !== undefined && block.cache_control !== null)
    .map((block) => (record(block.cache_control).ttl === "1h" ? "1h" : "5m"));
}

function findBadMarks(body: Record<string, unknown>): string | null {
  const marks = readMarks(body);
  if (marks.length > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`;
  const isWrong = marks.some((mark, at) => mark === "1h" && marks.slice(0, at).includes("5m"));
  return isWrong ? "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block." : null;
}

function findBadThinking(claude: Claude): string | null {
  const type = str(record(claude.body.thinking).type);
  return isAtLeast(claude, 5.5) && (type === "enabled" || type === "disabled")
    ? `thinking.type: "${type}" is not supported for this model. Use "adaptive".`
    : null;
}

function findForcedTool({ body, version }: Claude): string | null {
  if (!["any", "tool"].includes(str(record(body.tool_choice).type))) return null;
  const forbids =
    version !== null &&
    ((["sonnet", "opus"].includes(version.family) && version.version >= 5.5) ||
      (version.family === "fable" && version.version >= 5.1));
  return forbids || record(body.thinking).type === "enabled"
    ? "Thinking may not be enabled when tool_choice forces tool use."
    : null;
}

/** With a budget for thinking, the turn under way must begin with what was thought. */
function findMissingThinking({ body, messages }: Claude): string | null {
  if (record(body.thinking).type !== "enabled") return null;
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const [first] = messages[at]?.content ?? [];
  const isOpen = blocksOf(messages[at], "tool_use").length > 0 && blocksOf(messages[at + 1], "tool_result").length > 0;
  const type = str(first?.type);
  return isOpen && type !== "thinking" && type !== "redacted_thinking"
    ? `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`
    : null;
}
