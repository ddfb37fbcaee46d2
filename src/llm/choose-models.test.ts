import { expect, test } from "vitest";
import { type ChooseInput, chooseModels } from "./choose-models.ts";
import { type ModelRole, modelRoles } from "./model.ts";

const nothingNamed = Object.fromEntries(modelRoles.map((role) => [role, []])) as unknown as Record<ModelRole, string[]>;

/** The models of a role, as text, under these circumstances. */
function check(role: ModelRole, given: Partial<ChooseInput>, models: readonly string[], from: unknown) {
  const input = { named: nothingNamed, namedForAll: [], withKey: [], ownServer: null, found: [], ...given };
  const chosen = chooseModels(input)[role];
  expect(chosen.models.map(({ id }) => id)).toEqual(models);
  expect(chosen.from).toEqual(from);
}

const ollama = { name: "ollama", models: ["qwen3:8b", "llama3"] } as const;

test("without anything every role has the demo model", () => {
  for (const role of modelRoles) check(role, {}, ["demo/rules"], { kind: "nothing" });
});

test("a key brings its provider's models", () =>
  check("planner", { withKey: ["anthropic"] }, ["anthropic/claude-sonnet-5-5"], {
    kind: "keys",
    providers: ["anthropic"],
  }));

test("a role that only rewrites gets a quicker one", () =>
  check("summary", { withKey: ["anthropic"] }, ["anthropic/claude-haiku-5-5"], {
    kind: "keys",
    providers: ["anthropic"],
  }));

test("with several keys the others are what comes after, in an order of ours", () =>
  check(
    "executor",
    { withKey: ["google", "openai", "anthropic"] },
    ["anthropic/claude-sonnet-5-5", "openai/gpt-6.1-sol", "google/gemini-3.8-flash"],
    { kind: "keys", providers: ["anthropic", "openai", "google"] },
  ));

test("what is named for all roles comes before keys", () =>
  check("judge", { withKey: ["openai"], namedForAll: ["openai/gpt-5", "ollama/x"] }, ["openai/gpt-5", "ollama/x"], {
    kind: "setting",
    name: "model",
  }));

test("what is named for the role comes before what is named for all", () => {
  const named = { ...nothingNamed, judge: ["openai/gpt-5-mini"] };
  check("judge", { named, namedForAll: ["openai/gpt-5"] }, ["openai/gpt-5-mini"], {
    kind: "setting",
    name: "model_judge",
  });
  check("chat", { named, namedForAll: ["openai/gpt-5"] }, ["openai/gpt-5"], { kind: "setting", name: "model" });
});

test("a server on this machine is taken where there is no key", () => {
  check("planner", { found: [ollama] }, ["ollama/qwen3:8b"], { kind: "server", provider: "ollama" });
  check("planner", { found: [ollama], withKey: ["google"] }, ["google/gemini-3.8-flash"], {
    kind: "keys",
    providers: ["google"],
  });
});

test("a server that the settings name comes before keys, which come after it", () => {
  const ownServer = { name: "openai-compatible", models: ["house", "other"] } as const;
  check("planner", { ownServer, withKey: ["openai"] }, ["openai-compatible/house", "openai/gpt-6.1-sol"], {
    kind: "server",
    provider: "openai-compatible",
  });
});

test("a server without a model is none", () =>
  check("planner", { found: [{ name: "vllm", models: [] }, ollama] }, ["ollama/qwen3:8b"], {
    kind: "server",
    provider: "ollama",
  }));

test("the demo model can be asked for by name, and is known as such", () => {
  const input = {
    named: nothingNamed,
    namedForAll: ["demo/rules"],
    withKey: ["openai"],
    ownServer: null,
    found: [],
  } as const;
  const chosen = chooseModels(input);
  expect(chosen.planner.models).toEqual([{ provider: "demo", id: "demo/rules", isDemo: true }]);
});

test("a model named twice is asked once", () =>
  check("chat", { namedForAll: ["openai/gpt-5", "openai/gpt-5"] }, ["openai/gpt-5"], {
    kind: "setting",
    name: "model",
  }));
