// Facts about this installation that a page needs before anyone signs in.

import { z } from "zod";
import { anyone, read, routesTagged } from "../route.ts";

const instanceInfo = z.object({
  name: z.literal("homework"),
  version: z.string(),
  /** `local`: one owner, loopback only, signed in by a one-time link. `accounts`: e-mail and password. */
  mode: z.enum(["local", "accounts"]),
  /** Whether someone without an account may make one. */
  sign_up: z.boolean(),
  /**
   * How the first admin is made: `open`, by the first sign-up; `token`, with the token that the server prints; `closed`, there
   * is one.
   */
  bootstrap: z.enum(["closed", "open", "token"]),
});

const route = routesTagged("instance");

export const instanceRoutes = {
  info: route("GET /api/instance", {
    policy: anyone,
    summary: "What this installation is",
    result: instanceInfo,
  }),
  models: route("GET /api/models", {
    policy: read,
    summary: "Which model does what here, and which others one may choose for a run",
    result: z.object({
      /** No model was found: rules play one, and everything it writes says so. */
      is_demo: z.boolean(),
      /** In a sentence: where the models come from, or how to get real ones. */
      about: z.string(),
      roles: z.array(z.object({ role: z.string(), model: z.string(), fallbacks: z.array(z.string()) })),
      /** Names to offer; others of these providers may be typed. */
      choices: z.array(z.string()),
      /** Agent programs that runs can be worked on by (`engine: agent`). */
      agents: z.array(z.string()),
      /** Why runs cannot have the agent engine, and what to do; null: they can. */
      agent_problem: z.string().nullable(),
    }),
  }),
  live: route("GET /healthz", {
    policy: anyone,
    summary: "The process is alive",
    result: z.object({ status: z.literal("ok") }),
  }),
  ready: route("GET /readyz", {
    policy: anyone,
    summary: "The database answers and has the schema this program knows",
    result: z.object({ status: z.literal("ok"), schema_version: z.number().int() }),
  }),
} as const;
