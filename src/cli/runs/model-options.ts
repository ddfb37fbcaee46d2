// Which models a run asks, as an option: `run` and `fork` take the same one.

import { type Command, InvalidArgumentError } from "commander";
import { type RunModels, runModelRoles } from "../../domain/run/run-models.ts";

export type ModelOptions = { readonly model?: RunModels };

export function withModels(command: Command): Command {
  return command.option(
    "--model <model>",
    `the model it asks, such as anthropic/claude-sonnet-4-5, or role=model for one of ${runModelRoles.join(", ")}; may be repeated`,
    oneModel,
  );
}

/** Without a role it is for all of them; the later one counts. */
function oneModel(text: string, before: RunModels = {}): RunModels {
  const named = /^([a-z]+)=(.*)$/s.exec(text);
  const [role, model] = named ? [named[1], (named[2] ?? "").trim()] : [null, text.trim()];
  if (model === "") throw new InvalidArgumentError("Give a model, such as anthropic/claude-sonnet-4-5.");
  if (role === null) return Object.fromEntries(runModelRoles.map((each) => [each, model]));
  const known = runModelRoles.find((each) => each === role);
  if (known === undefined) throw new InvalidArgumentError(`"${role}" is none of ${runModelRoles.join(", ")}.`);
  return { ...before, [known]: model };
}
