// Facts about this installation that a page needs before anyone signs in.

import { z } from "zod";
import { defineRoute } from "../route.ts";

const instanceInfo = z.object({
  name: z.literal("homework"),
  version: z.string(),
  /** `local`: one owner, loopback only, signed in by a one-time link. `accounts`: e-mail and password. */
  mode: z.enum(["local", "accounts"]),
  /** Whether someone without an account may make one (always true for the very first). */
  sign_up: z.boolean(),
});

export const instanceRoutes = {
  info: defineRoute({
    method: "get",
    path: "/api/instance",
    policy: { kind: "public" },
    tag: "instance",
    summary: "What this installation is",
    status: 200,
    result: instanceInfo,
  }),
  models: defineRoute({
    method: "get",
    path: "/api/models",
    policy: { kind: "user", scope: "read" },
    tag: "instance",
    summary: "Which model does what here, and which others one may choose for a run",
    status: 200,
    result: z.object({
      /** No model was found: rules play one, and everything it writes says so. */
      is_demo: z.boolean(),
      /** In a sentence: where the models come from, or how to get real ones. */
      about: z.string(),
      roles: z.array(z.object({ role: z.string(), model: z.string(), fallbacks: z.array(z.string()) })),
      /** Names to offer; others of these providers may be typed. */
      choices: z.array(z.string()),
    }),
  }),
  live: defineRoute({
    method: "get",
    path: "/healthz",
    policy: { kind: "public" },
    tag: "instance",
    summary: "The process is alive",
    status: 200,
    result: z.object({ status: z.literal("ok") }),
  }),
  ready: defineRoute({
    method: "get",
    path: "/readyz",
    policy: { kind: "public" },
    tag: "instance",
    summary: "The database answers and has the schema this program knows",
    status: 200,
    result: z.object({ status: z.literal("ok"), schema_version: z.number().int() }),
  }),
} as const;
