// Signing in, one's own sessions and API keys, and the people of this installation.

import { z } from "zod";
import { apiKeyLimits, instanceRoles, scopes } from "../../domain/identity/identity.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { defineRoute } from "../route.ts";
import { id, props, text, timestamp, title } from "../text.ts";

const name = title.max(200);
const email = z.email().max(254);
/** Long enough to be worth something, short enough to hash. */
const password = text(200).min(10, "must have at least 10 characters");

const user = z.object({ id, name: z.string(), email: z.string(), role: z.enum(instanceRoles) });
const person = user.extend({ disabled: z.boolean(), created_at: timestamp });

export const me = z.object({ user, via: z.enum(["session", "key"]), scopes: z.array(z.enum(scopes)) });

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

const done = z.object({ ok: z.literal(true) });
const tag = "identity";

export const identityRoutes = {
  signUp: defineRoute({
    method: "post",
    path: "/api/auth/sign-up",
    policy: { kind: "public" },
    tag,
    summary: "Make an account; the first one manages the installation",
    body: z.strictObject({ name, email, password }),
    status: 201,
    result: me,
  }),
  signIn: defineRoute({
    method: "post",
    path: "/api/auth/sign-in",
    policy: { kind: "public" },
    tag,
    summary: "Sign in with e-mail and password; sets the session cookie",
    body: z.strictObject({ email, password: text(200) }),
    status: 200,
    result: me,
  }),
  signOut: defineRoute({
    method: "post",
    path: "/api/auth/sign-out",
    policy: { kind: "user", scope: "read" },
    tag,
    summary: "End this session",
    status: 200,
    result: done,
  }),
  me: defineRoute({
    method: "get",
    path: "/api/me",
    policy: { kind: "user", scope: "read" },
    tag,
    summary: "Who is signed in",
    status: 200,
    result: me,
  }),
  updateMe: defineRoute({
    method: "patch",
    path: "/api/me",
    policy: { kind: "user", scope: "admin" },
    tag,
    summary: "Change one's name",
    body: z.strictObject({ name }),
    status: 200,
    result: me,
  }),
  changePassword: defineRoute({
    method: "post",
    path: "/api/me/password",
    policy: { kind: "user", scope: "admin" },
    tag,
    summary: "Change one's password; other sessions end",
    body: z.strictObject({ current_password: text(200), new_password: password }),
    status: 200,
    result: done,
  }),
  listSessions: defineRoute({
    method: "get",
    path: "/api/me/sessions",
    policy: { kind: "user", scope: "admin" },
    tag,
    summary: "Where one is signed in",
    status: 200,
    result: z.object({ items: z.array(session) }),
  }),
  revokeSession: defineRoute({
    method: "delete",
    path: "/api/me/sessions/{sessionId}",
    policy: { kind: "user", scope: "admin" },
    tag,
    summary: "End one of one's sessions",
    params: z.object({ sessionId: id }),
    status: 200,
    result: done,
  }),
  revokeOtherSessions: defineRoute({
    method: "delete",
    path: "/api/me/sessions",
    policy: { kind: "user", scope: "admin" },
    tag,
    summary: "End all of one's sessions but this one",
    status: 200,
    result: done,
  }),
  listKeys: defineRoute({
    method: "get",
    path: "/api/me/keys",
    policy: { kind: "user", scope: "admin" },
    tag,
    summary: "One's API keys, without their secrets",
    status: 200,
    result: z.object({ items: z.array(apiKey) }),
  }),
  createKey: defineRoute({
    method: "post",
    path: "/api/me/keys",
    policy: { kind: "user", scope: "admin" },
    tag,
    summary: "Make an API key; the answer is the only place that ever shows it",
    body: z.strictObject({
      name: title.max(apiKeyLimits.name),
      scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
      expires_in_days: z.number().int().min(1).max(apiKeyLimits.days).nullable().default(90),
    }),
    status: 201,
    result: apiKey.extend({ key: z.string() }),
    creates: true,
    answersSecret: true,
  }),
  revokeKey: defineRoute({
    method: "delete",
    path: "/api/me/keys/{keyId}",
    policy: { kind: "user", scope: "admin" },
    tag,
    summary: "Revoke an API key; it stops working at once",
    params: z.object({ keyId: id }),
    status: 200,
    result: done,
  }),
  listUsers: defineRoute({
    method: "get",
    path: "/api/users",
    policy: { kind: "admin", scope: "admin" },
    tag,
    summary: "The people of this installation",
    query: z.strictObject(pageQuery),
    status: 200,
    result: pageOf(person),
  }),
  createUser: defineRoute({
    method: "post",
    path: "/api/users",
    policy: { kind: "admin", scope: "admin" },
    tag,
    summary: "Make an account for someone",
    body: z.strictObject({ name, email, password, role: z.enum(instanceRoles).default("user") }),
    status: 201,
    result: person,
    creates: true,
  }),
  updateUser: defineRoute({
    method: "patch",
    path: "/api/users/{userId}",
    policy: { kind: "admin", scope: "admin" },
    tag,
    summary: "Change someone's role, or shut their account; shutting ends their sessions and keys",
    params: z.object({ userId: id }),
    body: z.strictObject({ role: z.enum(instanceRoles).optional(), disabled: z.boolean().optional() }),
    status: 200,
    result: person,
  }),
  listAudit: defineRoute({
    method: "get",
    path: "/api/audit",
    policy: { kind: "admin", scope: "admin" },
    tag,
    summary: "Privileged actions, newest first",
    query: z.strictObject(pageQuery),
    status: 200,
    result: pageOf(auditEntry),
  }),
} as const;
