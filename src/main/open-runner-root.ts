// The runner's root folder with the real clock, process and host.

import os from "node:os";
import { thisProcess } from "../files/process-identity.ts";
import { openRoot, type RunnerRoot } from "../runner/layout/runner-root.ts";
import { realEnv } from "./env.ts";
import { nanoClock } from "./nano-clock.ts";

/** `host`: as another process of this machine has named it. */
export const openRunnerRoot = (folder: string, host = os.hostname()): RunnerRoot =>
  openRoot({ folder, env: realEnv, nanos: nanoClock(), self: thisProcess(), host });
