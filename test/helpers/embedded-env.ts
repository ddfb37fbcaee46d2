// The real clock and real chance, for tests that run real processes.

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Env, Instant } from "../../src/lib/env.ts";

export const realEnv: Env = {
  now: () => Date.now() as Instant,
  newId: () => randomUUID(),
  random: () => Math.random(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal ? { signal } : {});
  },
};
