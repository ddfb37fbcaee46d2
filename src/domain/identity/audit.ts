// The privileged actions that the audit log records, and the part of the product that each belongs to.

export const auditParts = ["runs", "outcomes", "projects", "accounts", "settings"] as const;
export type AuditPart = (typeof auditParts)[number];

const partOf = {
  sign_in: "accounts",
  sign_in_failed: "accounts",
  sign_up: "accounts",
  sign_out: "accounts",
  login_link_made: "accounts",
  password_changed: "accounts",
  session_revoked: "accounts",
  key_created: "accounts",
  key_revoked: "accounts",
  user_created: "accounts",
  user_changed: "accounts",
  quota_set: "settings",
  model_default_set: "settings",
  model_key_set: "settings",
  model_key_removed: "settings",
  member_added: "projects",
  member_changed: "projects",
  member_removed: "projects",
  project_binned: "projects",
  project_restored: "projects",
  run_created: "runs",
  run_canceled: "runs",
  run_paused: "runs",
  run_resumed: "runs",
  run_answered: "runs",
  run_steered: "runs",
  run_forked: "runs",
  run_followed_up: "runs",
  run_renamed: "runs",
  run_archived: "runs",
  run_undone: "runs",
  run_restored: "runs",
  run_merged: "runs",
  run_discarded: "runs",
  run_changes_decided: "runs",
  channel_added: "settings",
  channel_changed: "settings",
  channel_removed: "settings",
  outcome_created: "outcomes",
  outcome_edited: "outcomes",
  outcome_started: "outcomes",
  outcome_paused: "outcomes",
  outcome_resumed: "outcomes",
  outcome_archived: "outcomes",
  outcome_deleted: "outcomes",
  outcome_intervened: "outcomes",
  outcome_task_changed: "outcomes",
  homr_configured: "outcomes",
  escalation_answered: "outcomes",
  escalation_dismissed: "outcomes",
  escalation_postponed: "outcomes",
  escalation_rejected: "outcomes",
} as const satisfies Record<string, AuditPart>;

export type AuditAction = keyof typeof partOf;

export const actionsOf = (part: AuditPart): readonly AuditAction[] =>
  (Object.keys(partOf) as AuditAction[]).filter((action) => partOf[action] === part);
