// What a line of an agent's output says, for people: words, thinking, calls of tools with their results, notes. The four agents that print
// JSON events are known; any other line, and any event that is not known, is shown as it is. Pure.

export type Block =
  | { readonly kind: "speech"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "tool"; readonly title: string; readonly text: string; readonly isFailed: boolean }
  | { readonly kind: "result"; readonly title: string; readonly text: string; readonly isFailed: boolean }
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "event"; readonly title: string; readonly text: string };

type Fields = Readonly<Record<string, unknown>>;

/** Null: this line is no event, but text. */
export function readBlocks(line: string): readonly Block[] | null {
  const event = parse(line);
  if (event === null) return null;
  const type = textOf(event.type);
  return (
    readClaude(type, event) ??
    readCodex(type, event) ??
    readGemini(type, event) ??
    readOpencode(type, event) ?? [{ kind: "event", title: type || "event", text: pretty(event) }]
  );
}

function parse(line: string): Fields | null {
  if (!line.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const pretty = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? ""));
const note = (text: string): readonly Block[] => [{ kind: "note", text }];
const some = (block: Block, text: string): readonly Block[] => (text === "" ? [] : [block]);
const speech = (text: string) => some({ kind: "speech", text }, text);
const thinking = (text: string) => some({ kind: "thinking", text }, text);
const dollars = (value: unknown): string => (typeof value === "number" ? ` · $${value.toFixed(4)}` : "");

/** The name of a tool and the one argument that tells most. */
function titleOf(name: string, input: unknown): string {
  const fields = fieldsOf(input);
  const keys = ["command", "file_path", "filePath", "path", "pattern", "query", "url", "description"];
  const main = keys.map((key) => textOf(fields[key])).find((text) => text !== "") ?? "";
  const line = main.split("\n")[0] ?? "";
  return line === "" ? name : `${name}: ${line.length > 100 ? `${line.slice(0, 100)}…` : line}`;
}

const call = (name: string, input: unknown): Block => ({
  kind: "tool",
  title: titleOf(name, input),
  text: pretty(input),
  isFailed: false,
});

function readClaude(type: string, event: Fields): readonly Block[] | null {
  if (type === "system" && textOf(event.subtype) === "init") return note(`Session started · ${textOf(event.model)}`);
  if (type === "system") return note(`System: ${textOf(event.subtype) || "event"}`);
  if (type === "rate_limit_event") return note("The provider reported its limits");
  if (type === "result" && ("is_error" in event || "total_cost_usd" in event)) {
    const text = textOf(event.result);
    if (event.is_error === true) return [{ kind: "error", text: text || textOf(event.subtype) || "It failed" }];
    return note(`Finished${dollars(event.total_cost_usd)}`);
  }
  if (type !== "assistant" && type !== "user") return null;
  const content = fieldsOf(event.message).content;
  if (content === undefined) return null;
  if (typeof content === "string") return speech(content);
  return listOf(content).flatMap((part) => readClaudePart(fieldsOf(part)));
}

function readClaudePart(part: Fields): readonly Block[] {
  switch (part.type) {
    case "text":
      return speech(textOf(part.text));
    case "thinking":
      return thinking(textOf(part.thinking));
    case "tool_use":
      return [call(textOf(part.name), part.input)];
    case "tool_result": {
      const isFailed = part.is_error === true;
      const text = Array.isArray(part.content)
        ? part.content.map((each) => textOf(fieldsOf(each).text)).join("\n")
        : pretty(part.content ?? "");
      return [{ kind: "result", title: isFailed ? "Failed" : "Result", text, isFailed }];
    }
    default:
      return [{ kind: "event", title: textOf(part.type) || "part", text: pretty(part) }];
  }
}

function readCodex(type: string, event: Fields): readonly Block[] | null {
  if (type.startsWith("item.")) return readCodexItem(type, fieldsOf(event.item));
  switch (type) {
    case "thread.started":
      return note("Session started");
    case "turn.started":
      return [];
    case "turn.completed":
      return note("Finished");
    case "turn.failed":
      return [{ kind: "error", text: textOf(fieldsOf(event.error).message) || "It failed" }];
    default:
      return null;
  }
}

function readCodexItem(type: string, item: Fields): readonly Block[] {
  const kind = textOf(item.type);
  if (kind === "error") return [{ kind: "error", text: textOf(item.message) }];
  if (kind === "command_execution" && type === "item.started") return [call("Command", { command: item.command })];
  if (type !== "item.completed") return [];
  switch (kind) {
    case "agent_message":
      return speech(textOf(item.text));
    case "reasoning":
      return thinking(textOf(item.text));
    case "command_execution": {
      const isFailed = typeof item.exit_code === "number" && item.exit_code !== 0;
      const title = isFailed ? `Failed with exit code ${String(item.exit_code)}` : "Result";
      return [{ kind: "result", title, text: textOf(item.aggregated_output), isFailed }];
    }
    default:
      return [{ kind: "tool", title: kind.replaceAll("_", " "), text: pretty(item), isFailed: false }];
  }
}

function readGemini(type: string, event: Fields): readonly Block[] | null {
  if (type === "init") return note(`Session started · ${textOf(event.model)}`);
  if (type === "message" && event.role === "assistant") return speech(textOf(event.content));
  if (type === "message") return [{ kind: "event", title: "Prompt", text: textOf(event.content) }];
  if (type === "tool_use" && "tool_name" in event) return [call(textOf(event.tool_name), event.parameters)];
  if (type === "tool_result") {
    const isFailed = textOf(event.status) !== "success";
    const text = pretty(event.output ?? fieldsOf(event.error).message ?? "");
    return [{ kind: "result", title: isFailed ? "Failed" : "Result", text, isFailed }];
  }
  if (type === "result") {
    if (textOf(event.status) === "success") return note("Finished");
    return [{ kind: "error", text: textOf(fieldsOf(event.error).message) || "It failed" }];
  }
  return null;
}

function readOpencode(type: string, event: Fields): readonly Block[] | null {
  if (type === "error") {
    const error = fieldsOf(event.error);
    const text =
      textOf(fieldsOf(error.data).message) || textOf(error.message) || textOf(event.message) || textOf(error.name);
    return [{ kind: "error", text: text || pretty(event) }];
  }
  if (!isFields(event.part)) return null;
  const part = event.part;
  if (type === "text") return speech(textOf(part.text));
  if (type === "reasoning") return thinking(textOf(part.text));
  if (type === "step_start") return [];
  if (type === "step_finish") return textOf(part.reason) === "stop" ? note(`Finished${dollars(part.cost)}`) : [];
  if (type !== "tool_use") return null;
  const state = fieldsOf(part.state);
  const isFailed = state.status === "error";
  return [
    call(textOf(part.tool), state.input),
    {
      kind: "result",
      title: isFailed ? "Failed" : "Result",
      text: pretty(isFailed ? (state.error ?? "") : (state.output ?? "")),
      isFailed,
    },
  ];
}
