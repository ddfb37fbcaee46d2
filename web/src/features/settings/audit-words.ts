// The audit log in sentences: who did what, and how many times within an hour. Pure.

import type { routes } from "../../../../src/protocol/api.ts";
import { counted } from "../../../../src/protocol/figures.ts";
import type { AuditPart } from "../../../../src/protocol/kinds.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { wordsOf } from "../../ui/wording.ts";
import { providerNames, roleWords } from "./model-words.ts";

export type AuditEntry = RouteResult<typeof routes.identity.listAudit>["items"][number];

export const partWords: Readonly<Record<AuditPart, string>> = {
  runs: "Runs",
  outcomes: "Outcomes",
  projects: "Projects and members",
  accounts: "Accounts, sign-ins and API keys",
  settings: "Models, quotas and channels",
};

/** `*` is what it was done to, `@` the project in which. */
const actionWords: Readonly<Record<string, string>> = {
  sign_in: "signed in",
  sign_in_failed: "could not sign in as *",
  sign_up: "created an account",
  sign_out: "signed out",
  login_link_made: "made a sign-in link for *",
  password_changed: "changed the password of *",
  session_revoked: "ended a session",
  key_created: "created *",
  key_revoked: "revoked *",
  user_created: "created the account of *",
  user_changed: "changed the account of *",
  quota_set: "set the quota of *",
  model_default_set: "set the default model: *",
  model_key_set: "saved the model key of *",
  model_key_removed: "removed the model key of *",
  member_added: "added * to @",
  member_changed: "changed the role of * in @",
  member_removed: "removed * from @",
  project_binned: "put * in the bin",
  project_restored: "restored *",
  run_created: "started *",
  run_canceled: "canceled *",
  run_paused: "paused *",
  run_resumed: "resumed *",
  run_answered: "answered a question of *",
  run_steered: "added guidance to *",
  run_forked: "made a copy of *",
  run_followed_up: "asked about *",
  run_renamed: "renamed *",
  run_archived: "archived *",
  run_undone: "took back what * wrote",
  run_restored: "restored what * wrote",
  run_merged: "merged the work of *",
  run_discarded: "discarded the work of *",
  run_changes_decided: "reviewed the changes of *",
  channel_added: "added *",
  channel_changed: "changed *",
  channel_removed: "removed *",
  outcome_created: "created *",
  outcome_edited: "edited *",
  outcome_started: "started *",
  outcome_paused: "paused *",
  outcome_resumed: "resumed *",
  outcome_archived: "archived *",
  outcome_deleted: "deleted *",
  outcome_intervened: "stepped into *",
  outcome_task_changed: "changed a task of *",
  homr_configured: "changed the supervision of *",
  escalation_answered: "answered a question of *",
  escalation_dismissed: "dismissed a question of *",
  escalation_postponed: "postponed a question of *",
  escalation_rejected: "rejected a question of *",
};

const plain: Readonly<Record<string, readonly [one: string, noun: string]>> = {
  run: ["a run", "run"],
  outcome: ["an outcome", "outcome"],
  project: ["a project", "project"],
  key: ["an API key", "API key"],
  channel: ["a channel", "channel"],
  session: ["a session", "session"],
  user: ["someone", "person"],
};

export type Target = { readonly type: string; readonly id: string };

/** `run:0191…` names a run. */
export function readTarget(target: string): Target {
  const at = target.indexOf(":");
  return at < 0 ? { type: target, id: "" } : { type: target.slice(0, at), id: target.slice(at + 1) };
}

/** The parts before and after what it was done to; `after` is null where the sentence names no target. */
export function sentenceOf(action: string): { readonly before: string; readonly after: string | null } {
  const words = actionWords[action] ?? wordsOf(action).toLowerCase();
  const [before = "", after] = words.split("*");
  return { before: before.trim(), after: after === undefined ? null : after.trim() };
}

/** What it was done to, as far as it can be said without looking anything up. */
export function describeTarget({ type, id }: Target, count: number, details: AuditEntry["details"]): string {
  if (type === "everyone") return "everyone";
  if (type === "email") return id;
  if (type === "provider") return providerNames[id as keyof typeof providerNames] ?? id;
  if (type === "role") return roleWords[id as keyof typeof roleWords]?.label ?? wordsOf(id);
  if (type === "key" && count === 1 && typeof details.name === "string") return `the API key “${details.name}”`;
  const known = plain[type];
  if (known === undefined) return wordsOf(type).toLowerCase();
  return count === 1 ? known[0] : counted(count, known[1]);
}

/** Said elsewhere in the sentence, or of use only to programs. */
const unsaid = new Set(["engine", "owner", "project", "name"]);
const money = new Set(["monthly_usd", "run_cost_usd"]);

/** `Role: Viewer · Account closed`; null where there is nothing to say. */
export function describeDetails(details: AuditEntry["details"]): string | null {
  const words = Object.entries(details)
    .filter(([name, value]) => !unsaid.has(name) && value !== null && value !== undefined && value !== 0)
    .map(([name, value]) => {
      if (name === "disabled") return value === true ? "Account closed" : "Account opened";
      const noun = countedDetails[name];
      if (noun !== undefined && typeof value === "number") return `${wordsOf(name)}: ${counted(value, noun)}`;
      return `${detailNames[name] ?? wordsOf(name)}: ${money.has(name) ? `$${String(value)}` : valueWords(value)}`;
    });
  return words.length === 0 ? null : words.join(" · ");
}

/** What is counted when a run's work is taken back or restored. */
const countedDetails: Readonly<Record<string, string>> = {
  removed: "item",
  restored: "item",
  kept: "item",
  skipped: "item",
  left: "item",
};

const detailNames: Readonly<Record<string, string>> = {
  monthly_usd: "Monthly budget",
  run_cost_usd: "Cost limit of a run",
  allowed_models: "Allowed models",
  storage_bytes: "Storage, in bytes",
};

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(", ");
  if (typeof value === "string") return wordsOf(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? "changed" : String(value);
}

export type AuditGroup = { readonly first: AuditEntry; readonly entries: readonly AuditEntry[] };

const hourMs = 3_600_000;

/** What one person did again and again within an hour is one line, at the place of the last time. Newest first. */
export function groupEntries(entries: readonly AuditEntry[]): readonly AuditGroup[] {
  const groups: { first: AuditEntry; entries: AuditEntry[] }[] = [];
  const latest = new Map<string, (typeof groups)[number]>();
  for (const entry of entries) {
    const told = toldOf(entry);
    const alike = latest.get(told);
    if (alike && Date.parse(alike.first.at) - Date.parse(entry.at) <= hourMs) alike.entries.push(entry);
    else {
      const group = { first: entry, entries: [entry] };
      latest.set(told, group);
      groups.push(group);
    }
  }
  return groups;
}

/** Some of them named would be longer than their number. */
const namedAtOnce = 3;

/** The ids to name one by one: without repetition, and none where they are too many. */
export function listTargets(entries: readonly AuditEntry[]): readonly string[] {
  const ids = [...new Set(entries.map(({ target }) => readTarget(target).id))];
  return ids.length > namedAtOnce ? [] : ids;
}

/** A thing that was done to several times counts once. */
export const countTargets = (entries: readonly AuditEntry[]): number =>
  new Set(entries.map(({ target }) => target)).size;

const countedTypes = new Set(["run", "outcome", "key", "session", "channel"]);

/** Everything that the line says of an entry, but for the time. */
function toldOf({ actor_id: actor, action, target, details }: AuditEntry): string {
  const { type } = readTarget(target);
  const isNamed = type === "key" && "name" in details;
  return JSON.stringify([
    actor,
    action,
    countedTypes.has(type) && !isNamed ? type : target,
    describeDetails(details),
    isNamed ? details.name : null,
    details.project ?? null,
  ]);
}
