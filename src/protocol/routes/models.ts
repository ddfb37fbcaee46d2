// The models of this installation, as the settings page shows and changes them. A key goes in and never comes out.

import { z } from "zod";
import { keyProviders, modelRoles } from "../../domain/run/run-models.ts";
import { act, administer, read, routesTagged } from "../route.ts";
import { text } from "../text.ts";
import { count } from "./run-shapes.ts";

const settingSources = ["environment", "file", "command_line"] as const;

const foundModel = z.object({
  /** `provider/model`. */
  id: z.string(),
  /** What makes it usable: a key and where it is set, a server, or the built-in demo model. */
  source: z.enum([...settingSources, "server", "demo"]),
  /** The same in a few words. */
  why: z.string(),
  /** Dollars per million tokens; null: not known. */
  price: z.union([z.object({ input: z.number(), output: z.number() }), z.literal("free")]).nullable(),
});

const roleSetting = z.object({
  role: z.enum(modelRoles),
  /** The first is asked, the others if it fails. */
  models: z.array(z.string()),
  /** Why it has these, in a few words. */
  why: z.string(),
  /** The settings name them for this role. */
  is_set: z.boolean(),
  /** What decides instead of the config file: a variable, or the command line. */
  locked_by: z.string().nullable(),
});

const providerKey = z.object({
  provider: z.enum(keyProviders),
  /** Null: there is no key. */
  source: z.enum(settingSources).nullable(),
  /** The variable or the file that it is in. */
  from: z.string().nullable(),
  /** Its last four characters; null where it is too short to show any. */
  end: z.string().nullable(),
});

const modelSettings = z.object({
  /** No model was found: rules play one. */
  is_demo: z.boolean(),
  models: z.array(foundModel),
  roles: z.array(roleSetting),
  /** For those who manage the installation; else empty. */
  keys: z.array(providerKey),
  /** Where changes are written; for those who manage the installation. */
  config_file: z.string().nullable(),
  /** Whether this request could change models and keys. */
  may_change: z.boolean(),
  /** Who can change them, and how; null for a request that could. */
  who_may_change: z.string().nullable(),
  /** What is wrong, or what is still to do after a change. */
  notice: z.string().nullable(),
});

const modelTest = z.object({
  model: z.string(),
  works: z.boolean(),
  latency_ms: count,
  /** In a sentence: that it works and how long it took, or what is wrong. */
  message: z.string(),
  /** What the provider said about a fault; for those who manage the installation. */
  detail: z.string().nullable(),
  /** Null: the price of the model is not known. */
  cost_usd: z.number().nullable(),
});

/** Such as `anthropic/claude-sonnet-5-5`. */
const model = z
  .string()
  .max(200)
  .regex(/^[a-z][a-z-]*\/[\x21-\x7e]+$/, "must be provider/model");
/** It is sent in a header, so it is one line of plain letters. */
const key = text(500).regex(/^[\x21-\x7e]+$/, "must be one word, as the provider shows it");

const route = routesTagged("models");
const keyParams = z.object({ provider: z.enum(keyProviders) });

export const modelRoutes = {
  settings: route("GET /api/models/settings", {
    policy: read,
    summary: "The models found here, what makes each usable, its price, and the default model of each role",
    result: modelSettings,
  }),
  test: route("POST /api/models/test", {
    policy: act,
    summary: "Make one small real call of a model; its cost is yours",
    body: z.strictObject({ model }),
    result: modelTest,
  }),
  setRole: route("PATCH /api/models/roles/{role}", {
    policy: administer,
    summary: "Set the default model of a role, or take it back (null); only on the computer that runs Homework",
    params: z.object({ role: z.enum(modelRoles) }),
    body: z.strictObject({ model: model.nullable() }),
    result: modelSettings,
  }),
  setKey: route("PATCH /api/models/keys/{provider}", {
    policy: administer,
    summary: "Save the key of a provider in the config file; only on the computer that runs Homework",
    params: keyParams,
    body: z.strictObject({ key }),
    result: modelSettings,
  }),
  removeKey: route("DELETE /api/models/keys/{provider}", {
    policy: administer,
    summary: "Remove the key of a provider from the config file; only on the computer that runs Homework",
    params: keyParams,
    result: modelSettings,
  }),
} as const;
