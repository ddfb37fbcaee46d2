// How a program writes its help: where to, how wide, and what its exit codes mean.

import { exitCodes } from "./exit-code.ts";
import type { Host } from "./ports.ts";

/** Used when the width of the screen is not known. */
const defaultHelpWidth = 100;

export function helpOutput(host: Pick<Host, "terminal">) {
  const width = () => host.terminal.columns ?? defaultHelpWidth;
  return {
    writeOut: host.terminal.out,
    writeErr: host.terminal.say,
    // Errors of usage are told by `run-program.ts`, which also knows the JSON form.
    outputError: () => {},
    getOutHelpWidth: width,
    getErrHelpWidth: width,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  };
}

export function exitCodesHelp(): string {
  const lines = Object.values(exitCodes).map(({ number, meaning }) => `  ${String(number).padEnd(5)}${meaning}`);
  return `\nExit codes:\n${lines.join("\n")}`;
}
