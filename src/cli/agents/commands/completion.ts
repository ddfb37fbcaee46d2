// `run-agent completion`: words for the Tab key, made from the command tree itself.

import { Argument, type Command } from "commander";
import { examples } from "../../options.ts";
import type { AgentHost } from "../ports.ts";

export function addCompletionCommand(program: Command, host: AgentHost): void {
  const completion = program
    .command("completion")
    .description("print a script that completes commands and options in your shell")
    .summary("print a completion script for your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh"]))
    .action((shell: string) => host.terminal.out(shell === "zsh" ? zshScript(program) : bashScript(program)));
  examples(completion, ["completion bash >> ~/.bashrc", "completion zsh >> ~/.zshrc"]);
}

/** Words by the commands typed so far: `"bus post" → "--type --message …"`. */
function wordLists(command: Command, typed: readonly string[] = []): readonly (readonly [string, string])[] {
  const own = [
    ...command.commands.map((each) => each.name()),
    ...command.options.flatMap(({ long }) => long ?? []),
    "--help",
  ];
  const below = command.commands.flatMap((each) => wordLists(each, [...typed, each.name()]));
  return [[typed.join(" "), own.join(" ")], ...below];
}

function bashScript(program: Command): string {
  const cases = wordLists(program).map(([typed, words]) => `    "${typed}") words="${words}" ;;`);
  return [
    `_run_agent() {`,
    `  local typed="" words="" word`,
    `  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do`,
    `    case "$word" in -*) ;; *) typed="\${typed:+$typed }$word" ;; esac`,
    `  done`,
    `  case "$typed" in`,
    ...cases,
    `  esac`,
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    `}`,
    `complete -o default -F _run_agent run-agent`,
    ``,
  ].join("\n");
}

const zshScript = (program: Command): string => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(program)}`;
