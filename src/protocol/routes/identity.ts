// Signing in, one's own sessions and API keys, and the people of this installation.

import { z } from "zod";
import { auditParts } from "../../domain/identity/audit.ts";
import { apiKeyLimits, instanceRoles, scopes } from "../../domain/identity/identity.ts";
import { passwordLimits } from "../../domain/identity/password.ts";
import { engines, runStatuses } from "../../domain/run/run.ts";
import { stopReasons } from "../../domain/run/stop-reason.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { administer, anyone, manageSelf, read, routesTagged } from "../route.ts";
import { id, props, text, timestamp, title } from "../text.ts";

const name = title.max(200);
const email = z.email().max(254);
const givenPassword = text(passwordLimits.max);
const password = givenPassword.min(passwordLimits.min, `must have at least ${passwordLimits.min} characters`);

const user = z.object({ id, name: z.string(), email: z.string(), role: z.enum(instanceRoles) });
const person = user.extend({ disabled: z.boolean(), created_at: timestamp });

export const me = z.object({ user, via: z.enum(["session", "key"]), scopes: z.array(z.enum(scopes)) });
const meNow = me.extend({
  /** The last event of one's feed: a page that loads its lists now and follows the feed after it misses nothing. */
  feed_seq: z.number().int().min(0),
});

const session = z.object({
  id: z.string(),
  current: z.boolean(),
  user_agent: z.string().nullable(),
  address: z.string().nullable(),
  created_at: timestamp,
  last_seen_at: timestamp,
  expires_at: timestamp,
});

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters, to recognise it by. */
  start: z.string(),
  scopes: z.array(z.enum(scopes)),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
});

const auditEntry = z.object({
  seq: z.number().int(),
  at: timestamp,
  actor_id: id.nullable(),
  action: z.string(),
  target: z.string(),
  details: props,
});

const count = z.number().int().min(0);
/** What someone may use; null is no limit, and for one person, what holds for everyone. */
const quotaFields = {
  /** All calls of models in a calendar month (UTC). */
  monthly_usd: z.number().min(0).max(1_000_000).nullable(),
  /** The cost limit of a run that names none. */
  run_cost_usd: z.number().min(0.000_001).max(1_000_000).nullable(),
  /** Models that may be named for a run, besides those of the installation. */
  allowed_models: z.array(title.max(200)).max(100).nullable(),
  runs_at_once: z.number().int().min(1).max(10_000).nullable(),
  /** Text in what the person has made, without the working notes of runs. */
  storage_bytes: z.number().int().min(0).max(1_000_000_000_000).nullable(),
};
const quota = z.object(quotaFields);

const userQuota = z.object({
  id,
  name: z.string(),
  /** What is set for this person. */
  quota,
  /** Since the first of the month (UTC), with what is reserved. */
  cost_usd_this_month: z.number(),
  /** The part of it that is reserved: the most that calls under way can still cost. */
  reserved_usd: z.number(),
  /** Runs that are being worked on, of `limits.runs_at_once`. */
  active_runs: count,
  queued_runs: count,
  cost_usd_day: z.number(),
  cost_usd_month: z.number(),
  /** Calls within 30 days whose price is not known. */
  unpriced_calls: count,
});

/** A run as those who manage the installation see it: nothing of what it is about. */
export const someRun = z.object({
  id,
  user_id: id,
  user_name: z.string(),
  user_email: z.string(),
  is_user_disabled: z.boolean(),
  status: z.enum(runStatuses),
  stop_reason: z.enum(stopReasons).nullable(),
  engine: z.enum(engines),
  iteration: count,
  cost_usd: z.number(),
  /** Calls whose price is not known; the cost is without them. */
  unpriced_calls: count,
  created_at: timestamp,
  updated_at: timestamp,
});

const done = z.object({ ok: z.literal(true) });
const route = routesTagged("identity");

export const identityRoutes = {
  signUp: route("POST /api/auth/sign-up", {
    policy: anyone,
    summary: "Make an account; with the token that the server printed, that of the admin",
    body: z.strictObject({
      name,
      email,
      password,
      /** For the first admin, where `bootstrap` of the instance is `token`. */
      bootstrap_token: text(100).min(1).optional(),
    }),
    result: me,
    status: 201,
  }),
  signIn: route("POST /api/auth/sign-in", {
    policy: anyone,
    summary: "Sign in with e-mail and password; sets the session cookie",
    body: z.strictObject({ email, password: givenPassword }),
    result: me,
  }),
  signOut: route("POST /api/auth/sign-out", {
    policy: read,
    summary: "End this session",
    result: done,
  }),
  me: route("GET /api/me", {
    policy: read,
    summary: "Who is signed in",
    result: meNow,
  }),
  updateMe: route("PATCH /api/me", {
    policy: manageSelf,
    summary: "Change one's name",
    body: z.strictObject({ name }),
    result: me,
  }),
  changePassword: route("POST /api/me/password", {
    policy: manageSelf,
    summary: "Change one's password, or set the first one; other sessions end",
    body: z.strictObject({
      /** Left out: the account has none yet, because it was only ever signed in by link. */
      current_password: givenPassword.optional(),
      new_password: password,
    }),
    result: done,
  }),
  listSessions: route("GET /api/me/sessions", {
    policy: manageSelf,
    summary: "Where one is signed in",
    result: z.object({ items: z.array(session) }),
  }),
  revokeSession: route("DELETE /api/me/sessions/{sessionId}", {
    policy: manageSelf,
    summary: "End one of one's sessions",
    params: z.object({ sessionId: id }),
    result: done,
  }),
  revokeOtherSessions: route("DELETE /api/me/sessions", {
    policy: manageSelf,
    summary: "End all of one's sessions but this one",
    result: done,
  }),
  listKeys: route("GET /api/me/keys", {
    policy: manageSelf,
    summary: "One's API keys, without their secrets",
    result: z.object({ items: z.array(apiKey) }),
  }),
  createKey: route("POST /api/me/keys", {
    policy: manageSelf,
    summary: "Make an API key; the answer is the only place that ever shows it",
    body: z.strictObject({
      name: title.max(apiKeyLimits.name),
      scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
      expires_in_days: z.number().int().min(1).max(apiKeyLimits.days).nullable().default(90),
    }),
    result: apiKey.extend({ key: z.string() }),
    creates: true,
    answersSecret: true,
  }),
  revokeKey: route("DELETE /api/me/keys/{keyId}", {
    policy: manageSelf,
    summary: "Revoke an API key; it stops working at once",
    params: z.object({ keyId: id }),
    result: done,
  }),
  listUsers: route("GET /api/users", {
    policy: administer,
    summary: "The people of this installation",
    query: z.strictObject(pageQuery),
    result: pageOf(person),
  }),
  createUser: route("POST /api/users", {
    policy: administer,
    summary: "Make an account for someone",
    body: z.strictObject({ name, email, password, role: z.enum(instanceRoles).default("user") }),
    result: person,
    creates: true,
  }),
  updateUser: route("PATCH /api/users/{userId}", {
    policy: administer,
    summary: "Change someone's role, or shut their account; shutting ends their sessions, keys, runs and chats",
    params: z.object({ userId: id }),
    body: z.strictObject({ role: z.enum(instanceRoles).optional(), disabled: z.boolean().optional() }),
    result: person,
  }),
  quotas: route("GET /api/quotas", {
    policy: administer,
    summary: "The limits of every user, and what each of them uses",
    query: z.strictObject(pageQuery),
    result: pageOf(userQuota).extend({
      limits: z.object({ runs_at_once: count, live_streams: count, requests_per_minute: count }),
      /** What is set for everyone. */
      everyone: quota,
    }),
  }),
  setQuota: route("PATCH /api/quotas", {
    policy: administer,
    summary: "Set what someone may use, or everyone; what is left out stays",
    body: z.strictObject({
      /** Null: everyone. */
      user_id: id.nullable(),
      monthly_usd: quotaFields.monthly_usd.optional(),
      run_cost_usd: quotaFields.run_cost_usd.optional(),
      allowed_models: quotaFields.allowed_models.optional(),
      runs_at_once: quotaFields.runs_at_once.optional(),
      storage_bytes: quotaFields.storage_bytes.optional(),
    }),
    result: quota,
  }),
  myQuota: route("GET /api/me/quota", {
    policy: read,
    summary: "What one may use, and has used this month",
    result: quota.extend({
      runs_at_once: count,
      cost_usd_this_month: z.number(),
      /** The part of it that is reserved. */
      reserved_usd: z.number(),
      storage_used_bytes: count,
    }),
  }),
  allRuns: route("GET /api/runs", {
    policy: administer,
    summary: "The runs of everyone, newest first: owner, state and cost",
    query: z.strictObject({
      ...pageQuery,
      /** `active`: those that are worked on, queued, or waiting for their user. */
      group: z.enum(["active", "all"]).default("active"),
    }),
    result: pageOf(someRun),
  }),
  cancelAnyRun: route("POST /api/runs/{anyRunId}/cancel", {
    policy: administer,
    summary: "Cancel a run, whoever's it is",
    params: z.object({ anyRunId: id }),
    result: someRun,
  }),
  listAudit: route("GET /api/audit", {
    policy: administer,
    summary: "Privileged actions, newest first; of one person or one part of the product where these are named",
    query: z.strictObject({ ...pageQuery, actor_id: id.optional(), part: z.enum(auditParts).optional() }),
    result: pageOf(auditEntry),
  }),
} as const;
