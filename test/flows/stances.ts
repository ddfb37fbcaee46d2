// Who plays the flows: every protocol with what its providers insist on, one way at a time. What a way makes of a flow is data
// here; where a stance differs from the one before it in a few flows only, it plays those.

import type { NonEmpty } from "../../src/domain/run/run.ts";
import { defaultTimeouts, type Timeouts } from "../../src/llm/answer-limits.ts";
import type { LabMode } from "../lab/lab-mode.ts";
import { labPrices } from "../lab/lab-models.ts";

export const flowNames = [
  "session",
  "delegation",
  "question",
  "guidance",
  "approval",
  "crash",
  "fallback",
  "cut off",
  "outages",
  "chat",
] as const;
export type FlowName = (typeof flowNames)[number];

export const playsFlow = ({ only }: Stance, name: string): boolean => only?.some((each) => each === name) ?? true;

export const refusalsOf = ({ refusals = [], refusalsIn = {} }: Stance, name: string): readonly string[] =>
  refusalsIn[name as FlowName] ?? refusals;

export const protocols = ["anthropic", "openai", "google", "openrouter", "openai-compatible"] as const;
export type Protocol = (typeof protocols)[number];

export type Stance = {
  readonly name: string;
  readonly model: string;
  readonly modes: readonly LabMode[];
  /** What the lab refuses once and the program then sends in another form, by rule; where it differs, by flow. */
  readonly refusals?: readonly string[];
  readonly refusalsIn?: Readonly<Partial<Record<FlowName, readonly string[]>>>;
  /** Calls come as text: there is nothing of the provider's own to send back, so a chat sends them as they were carried out. */
  readonly isText?: true;
  /** It names what every answer cost, or our table has to know. */
  readonly pricedBy: "provider" | "table" | "free" | "unpriced";
  /** Instead of the usual ones. */
  readonly timeouts?: Timeouts;
  /** The flows that can tell it from the stance before it; left out: all. */
  readonly only?: readonly FlowName[];
};

const claude = "anthropic/claude-sonnet-5-5";
const router = "openrouter/anthropic/claude-sonnet-5.5";
const house = "openai-compatible/house-model";
const gpt = "openai/gpt-6.1-sol";
const gemini = "google/gemini-3.8-flash";
/** Claude is silent for 90 seconds before a call; both that and what we wait for are a hundred times shorter here. */
const haste = 100;
const silenceMs = 90_000 / haste;
const hastyTimeouts: Timeouts = {
  tellMs: defaultTimeouts.tellMs / haste,
  answerMs: defaultTimeouts.answerMs / haste,
  totalMs: defaultTimeouts.totalMs / haste,
};

export const stances: Readonly<Record<Protocol, NonEmpty<Stance>>> = {
  anthropic: [
    { name: "claude-bound", model: claude, modes: [{ mode: "claude-bound" }], pricedBy: "table" },
    {
      name: "claude-omitted, bound and metered",
      model: claude,
      modes: [{ mode: "claude-omitted", silenceMs }, { mode: "claude-bound" }, { mode: "cache-meter" }],
      timeouts: hastyTimeouts,
      pricedBy: "table",
      only: ["session", "delegation", "crash", "fallback", "chat"],
    },
    {
      name: "claude-strict on an older model",
      model: "anthropic/claude-sonnet-4-5",
      modes: [{ mode: "claude-strict" }],
      pricedBy: "table",
      only: ["session", "guidance", "cut off", "fallback", "chat"],
    },
  ],
  openai: [
    {
      name: "openai-stateless, metered",
      model: gpt,
      modes: [{ mode: "openai-stateless" }, { mode: "cache-meter" }],
      pricedBy: "table",
    },
    {
      name: "a model without a price",
      model: "openai/gpt-unheard-of",
      modes: [{ mode: "openai-stateless" }],
      pricedBy: "unpriced",
      only: ["session", "fallback"],
    },
  ],
  google: [
    {
      name: "gemini-sign, metered",
      model: gemini,
      modes: [{ mode: "gemini-sign" }, { mode: "cache-meter" }],
      pricedBy: "table",
    },
    {
      name: "gemini-sign",
      model: gemini,
      modes: [{ mode: "gemini-sign" }],
      pricedBy: "table",
      only: ["session", "fallback"],
    },
  ],
  openrouter: [
    {
      name: "openrouter-details with Claude",
      model: router,
      modes: [{ mode: "openrouter-details" }],
      // A chat tells earlier exchanges in short and without reasoning, until it is wanted.
      refusalsIn: { chat: ["missing-details"] },
      pricedBy: "provider",
    },
    {
      name: "openrouter-details with Gemini, metered",
      model: "openrouter/google/gemini-3.8-flash",
      modes: [{ mode: "openrouter-details" }, { mode: "cache-meter" }],
      refusalsIn: { chat: ["missing-details"] },
      pricedBy: "provider",
      only: ["session", "guidance", "crash", "fallback", "chat"],
    },
    {
      name: "claude-strict, metered",
      model: router,
      modes: [{ mode: "claude-strict" }, { mode: "cache-meter" }],
      pricedBy: "provider",
      only: ["session", "guidance", "cut off", "fallback", "chat"],
    },
  ],
  "openai-compatible": [
    {
      name: "compat-sloppy",
      model: house,
      // Arguments as an object lose the call: that is a fault, and played as one.
      modes: [{ mode: "compat-sloppy", ways: ["no-ids", "index-0", "stop", "no-usage"] }],
      pricedBy: "unpriced",
    },
    {
      name: "compat-text-call",
      model: house,
      modes: [{ mode: "compat-text-call" }],
      isText: true,
      pricedBy: "provider",
    },
    {
      name: "deepseek-reasoning, roles-alternate, metered",
      model: house,
      modes: [{ mode: "deepseek-reasoning" }, { mode: "roles-alternate" }, { mode: "cache-meter" }],
      // The other provider's answer has no reasoning that could go back.
      refusalsIn: { fallback: ["missing-reasoning"] },
      pricedBy: "provider",
    },
    {
      name: "vllm-no-parser",
      model: "vllm/qwen3",
      modes: [{ mode: "vllm-no-parser" }],
      isText: true,
      refusals: ["no-parser"],
      pricedBy: "free",
    },
    {
      name: "ollama with a window that is large enough",
      model: "ollama/qwen3",
      modes: [{ mode: "ollama-4k", windowTokens: 128_000 }],
      pricedBy: "free",
      only: ["session"],
    },
  ],
};

/** Who answers where the first one cannot: another for each stance, from the first again after the last. */
const fallbacks: Readonly<Record<Protocol, NonEmpty<string>>> = {
  anthropic: [house, gpt, router],
  openai: [claude, gemini, house],
  google: [gpt, claude],
  openrouter: [gemini, claude, house],
  "openai-compatible": [claude, router, gpt, gemini],
};

export function chooseFallback(protocol: Protocol, stance: Stance): string {
  const choices = fallbacks[protocol];
  return choices[Math.max(0, stances[protocol].indexOf(stance)) % choices.length] ?? choices[0];
}

/** On top of the stance's own; a mode says nothing on protocols it is not about. */
export const insistingModes: readonly LabMode[] = [
  { mode: "claude-bound" },
  { mode: "openai-stateless" },
  { mode: "gemini-sign" },
  { mode: "openrouter-details" },
];

const usd = (input: number, output: number, cacheRead: number, cacheWrite = input) => ({
  input: input * 1_000_000,
  output: output * 1_000_000,
  cacheRead: Math.round(cacheRead * 1_000_000),
  cacheWrite: Math.round(cacheWrite * 1_000_000),
});

/** The lab's own copy of the prices. */
export const flowPrices = {
  ...labPrices,
  "claude-sonnet-4-5": usd(3, 15, 0.3, 3.75),
  "google/gemini-3.8-flash": usd(1.5, 7.5, 0.15),
};
