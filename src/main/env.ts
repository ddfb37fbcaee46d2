// The real clock, chance and ids.

import { setTimeout as delay } from "node:timers/promises";
import type { Env, Instant } from "../lib/env.ts";
import { uuid7 } from "../lib/uuid7.ts";

const now = () => Date.now() as Instant;

export const realEnv: Env = {
  now,
  newId: () => uuid7(now(), crypto.getRandomValues(new Uint8Array(16))),
  random: Math.random,
  sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}),
};
