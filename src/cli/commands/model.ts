// `homework model …`: which models are asked for what, what they cost, and whether they answer.

import type { Command } from "commander";
import { dollars } from "../../protocol/figures.ts";
import { Ended } from "../exit-code.ts";
import { serviceAction } from "../invocation.ts";
import { addFamily, examples } from "../options.ts";
import type { Output } from "../output.ts";
import { cutTo, oneLine } from "../plain-text.ts";
import type { Host, ModelTest, RoleModels, ShownModel } from "../ports.ts";

/** Enough of an answer to see that it is one. */
const answerMax = 200;

export function addModelCommands(program: Command, host: Host): void {
  const family = addFamily(program, "model", "show the models that are asked, and try them");
  const list = family
    .command("list")
    .description("show which models each role uses, what they cost, and where that was set")
    .action(
      serviceAction<[object]>(host, async ({ services, output }) => {
        const roles = await services.models.list();
        const { names: agents, problem } = await services.models.agents();
        output.data({ roles, agents }, () => renderRoles(output, roles));
        if (agents.length > 0)
          output.say(`Agents: ${agents.join(", ")}. Let them do a run with: homework run --engine agent "…"`);
        const isDemo = roles.some(({ models }) => models.some(({ demo }) => demo));
        if (isDemo && agents.length === 0 && problem !== null) output.say(`Agents: ${problem}.`);
        if (isDemo) output.say(aboutDemo);
      }),
    );
  examples(list, ["model list", "model list --set model=ollama/qwen3", "model list --json"]);

  const test = family
    .command("test")
    .argument("[role or model]", "a role such as planner, or a model such as anthropic/claude-sonnet-5-5")
    .description("make one small real call, and say how long it took and what it cost")
    .action(
      serviceAction<[string | undefined, object]>(host, async ({ services, output }, target) => {
        const tested = await services.models.test(target ?? null, host.stop);
        output.data(tested, () => output.fields(fieldsOf(tested)));
        if (tested.demo) output.say(aboutDemo);
        if (!tested.result.ok) {
          output.say(adviceOn(tested.result.fault));
          throw new Ended("failed");
        }
      }),
    );
  examples(test, ["model test", "model test summary", "model test openai/gpt-6-luna"]);
}

const aboutDemo = `The demo model follows rules: it is no AI, and costs nothing. For real work set a key, such as
ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, or start Ollama (docs/config.md, Models).`;

function renderRoles(output: Output, roles: readonly RoleModels[]): string {
  const rows = roles.flatMap(({ role, models, from }) =>
    models.map((model, at) => ({ role: at === 0 ? role : "", from: at === 0 ? from : "if it fails", model })),
  );
  return output.table(rows, [
    { title: "ROLE", value: ({ role }) => role },
    { title: "MODEL", value: ({ model }) => (model.demo ? `${model.id} (demo: rules, no AI)` : model.id) },
    { title: "$ PER MILLION TOKENS", value: ({ model }) => priceText(model) },
    { title: "FROM", value: ({ from }) => from, flexible: true },
  ]);
}

function priceText({ price }: ShownModel): string {
  if (price === null) return "no price known";
  return price === "free" ? "free" : `${price.input} in, ${price.output} out`;
}

function fieldsOf({ model, demo, latency_ms, result }: ModelTest): readonly (readonly [string, string])[] {
  const head = [
    ["Model", demo ? `${model} (demo: rules, no AI)` : model],
    ["Took", `${(latency_ms / 1000).toFixed(1)} s`],
  ] as const;
  if (!result.ok) return [...head, ["Failed", `${result.fault}: ${oneLine(result.why)}`]];
  const cost = result.cost_usd === null ? "no price known" : dollars(Math.round(result.cost_usd * 1_000_000));
  return [
    ...head,
    ["Answer", cutTo(oneLine(result.answer), answerMax)],
    ["Tokens", `${result.input_tokens} in, ${result.output_tokens} out`],
    ["Cost", cost],
  ];
}

function adviceOn(fault: string): string {
  if (fault === "auth") return "The provider does not take the key: see `homework config` for where it came from.";
  if (fault === "quota") return "The account has no money left.";
  if (fault === "limit") return "The provider asks to wait; try again later.";
  if (fault === "refused") return "The provider does not take this request: is there such a model?";
  return "Is the provider reachable? Try again in a moment.";
}
