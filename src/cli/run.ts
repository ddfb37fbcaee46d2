// One call of the command line of `homework`.

import type { Host } from "./ports.ts";
import { buildProgram } from "./program.ts";
import { runProgram } from "./run-program.ts";

/** `args` without the program's own name. Never throws. */
export const runCli = (args: readonly string[], host: Host): Promise<number> =>
  runProgram(buildProgram(host), args, host);
