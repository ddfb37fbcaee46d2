// What of a request was sent before, block by block in the order tools, system, messages: as a measure for every request, and
// as a cache with minimum and time to live that counts the way each provider does. Only tests import it.

import type { ModeOf } from "./lab-mode.ts";
import { type LabRequest, type LabUsage, record, records } from "./lab-protocol.ts";
import { hashText } from "./seal.ts";

type Block = { readonly text: string; readonly mark: "5m" | "1h" | null };

export type Prefix = { readonly requestTokens: number; readonly prefixTokens: number };

export type PrefixCache = {
  /** Measures a request and remembers it. */
  readonly measure: (request: LabRequest) => Prefix;
  /** What a provider's cache makes of it. */
  readonly meter: (request: LabRequest, mode: ModeOf<"cache-meter">, nowMs: number) => Omit<LabUsage, "output">;
};

/** Claude looks so many blocks back from a mark. */
const lookBack = 20;
/** Remembered prefixes, the oldest first to go. */
const prefixesMax = 50_000;
const minuteMs = 60_000;

export function openPrefixCache(): PrefixCache {
  const seen = new Map<string, number>();
  const cached = new Map<string, { untilMs: number; readonly ttlMs: number }>();
  return {
    measure: (request) => {
      const ends = chain(request, readBlocks(request));
      const prefixTokens = ends.findLast(({ hash }) => seen.has(hash))?.tokens ?? 0;
      for (const { hash, tokens } of ends) keep(seen, hash, tokens);
      return { requestTokens: ends.at(-1)?.tokens ?? 0, prefixTokens };
    },
    meter: (request, mode, nowMs) => {
      const blocks = readBlocks(request);
      const ends = chain(request, blocks);
      const tokensAt = (at: number | undefined) => (at === undefined ? 0 : (ends[at]?.tokens ?? 0));
      const hashAt = (at: number | undefined) => (at === undefined ? "" : (ends[at]?.hash ?? ""));
      const isOptIn = usesMarks(request);
      const marks = [...blocks.keys()].filter((at) => !isOptIn || blocks[at]?.mark !== null);
      const mayRead = (at: number) => !isOptIn || marks.some((mark) => mark >= at && mark - at < lookBack);
      const isKept = (at: number) => (cached.get(hashAt(at))?.untilMs ?? 0) > nowMs;
      const hit = [...blocks.keys()].findLast((at) => mayRead(at) && isKept(at));
      const minimum = mode.minimumTokens ?? findMinimum(request.model);
      const written = marks.filter((at) => tokensAt(at) >= minimum);
      for (const at of written) {
        const ttlMs = mode.ttlMs ?? chooseTtl(request, blocks[at]?.mark ?? null);
        keep(cached, hashAt(at), { ttlMs, untilMs: nowMs + ttlMs });
      }
      const known = cached.get(hashAt(hit));
      if (known !== undefined) known.untilMs = nowMs + known.ttlMs;
      const cacheRead = tokensAt(hit);
      const cacheWrite = isOptIn ? Math.max(0, tokensAt(written.at(-1)) - cacheRead) : 0;
      return { input: tokensAt(blocks.length - 1), cacheRead, cacheWrite };
    },
  };
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > prefixesMax && oldest !== undefined) map.delete(oldest);
}

/** The end of each block: a hash of all up to it, for this model and account only, and the tokens up to it. */
function chain({ model, account }: LabRequest, blocks: readonly Block[]) {
  let hash = hashText(`${model} ${account}`);
  let characters = 0;
  return blocks.map(({ text }) => {
    hash = hashText(`${hash} ${text}`);
    characters += text.length;
    return { hash, tokens: Math.ceil(characters / 4) };
  });
}

const usesMarks = ({ protocol, model }: LabRequest): boolean =>
  protocol === "anthropic" || model.startsWith("anthropic/");

function chooseTtl({ protocol, provider }: LabRequest, mark: Block["mark"]): number {
  if (mark !== null) return mark === "1h" ? 60 * minuteMs : 5 * minuteMs;
  if (provider === "openrouter") return 10 * minuteMs;
  return protocol === "google" ? 60 * minuteMs : 30 * minuteMs;
}

/** Tokens below which nothing is cached, of the models that differ from the usual 1,024. */
const minimums: readonly (readonly [RegExp, number])[] = [
  [/claude-(opus|fable)-5(?![-.]\d)/, 512],
  [/claude-opus-4[-.]7/, 2_048],
  [/claude-(haiku-4[-.]5|opus-4[-.][56])/, 4_096],
  [/gemini-2/, 2_048],
  [/gemini-/, 4_096],
];

const findMinimum = (model: string): number => minimums.find(([pattern]) => pattern.test(model))?.[1] ?? 1_024;

function readBlocks({ protocol, raw }: LabRequest): readonly Block[] {
  const body = record(raw);
  if (protocol === "google")
    return [...records(body.tools), record(body.systemInstruction), ...records(body.contents)].map(toBlock);
  if (protocol === "responses")
    return [...records(body.tools), { instructions: body.instructions ?? "" }, ...records(body.input)].map(toBlock);
  const system = typeof body.system === "string" ? [{ type: "text", text: body.system }] : records(body.system);
  // A text is the same block whether it stands alone or in a list, which is where a mark can be put.
  const parts = records(body.messages).flatMap(({ role, content, ...rest }) => {
    const list = typeof content === "string" ? [{ type: "text", text: content }] : records(content);
    const all = list.length === 0 ? [{}] : list;
    return all.map((part, at) => ({ role, ...part, ...(at === all.length - 1 ? rest : {}) }));
  });
  const blocks = [...records(body.tools), ...system, ...parts].map(toBlock);
  const automatic = body.cache_control === undefined ? null : readMark(body);
  return blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, mark: block.mark ?? automatic } : block));
}

const readMark = ({ cache_control: control }: Record<string, unknown>): Block["mark"] =>
  control === undefined || control === null ? null : record(control).ttl === "1h" ? "1h" : "5m";

const toBlock = (block: Record<string, unknown>): Block => ({
  text: JSON.stringify(block, (key, value) => (key === "cache_control" ? undefined : value)),
  mark: readMark(block),
});
