// The types of our tables, made from a migrated database by `npm run generate`. Not edited by hand.

import type { ColumnType } from "kysely";

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;

export type Int8 = ColumnType<string, bigint | number | string, bigint | number | string>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export interface AuditLog {
  action: string;
  actor_id: string | null;
  at: Generated<string>;
  details: Generated<Json>;
  hash: Buffer;
  previous: Buffer;
  seq: Int8;
  target: string;
}

export interface AuthAccounts {
  access_token: string | null;
  access_token_expires_at: string | null;
  account_id: string;
  created_at: Generated<string>;
  id: string;
  id_token: string | null;
  password: string | null;
  provider_id: string;
  refresh_token: string | null;
  refresh_token_expires_at: string | null;
  scope: string | null;
  updated_at: Generated<string>;
  user_id: string;
}

export interface AuthApiKeys {
  config_id: Generated<string>;
  created_at: Generated<string>;
  enabled: boolean | null;
  expires_at: string | null;
  id: string;
  key: string;
  last_refill_at: string | null;
  last_request: string | null;
  metadata: string | null;
  name: string | null;
  permissions: string | null;
  prefix: string | null;
  rate_limit_enabled: boolean | null;
  rate_limit_max: number | null;
  rate_limit_time_window: number | null;
  reference_id: string;
  refill_amount: number | null;
  refill_interval: number | null;
  remaining: number | null;
  request_count: number | null;
  start: string | null;
  updated_at: Generated<string>;
}

export interface AuthSessions {
  created_at: Generated<string>;
  expires_at: string;
  id: string;
  ip_address: string | null;
  token: string;
  updated_at: Generated<string>;
  user_agent: string | null;
  user_id: string;
}

export interface AuthUsers {
  created_at: Generated<string>;
  disabled_at: string | null;
  email: string;
  email_verified: Generated<boolean>;
  id: string;
  image: string | null;
  name: string;
  role: Generated<string>;
  updated_at: Generated<string>;
}

export interface AuthVerifications {
  created_at: Generated<string>;
  expires_at: string;
  id: string;
  identifier: string;
  updated_at: Generated<string>;
  value: string;
}

export interface HomeworkRunChecks {
  check_id: string;
  deliverable_id: string | null;
  given_by: string;
  position: number;
  proof: Json | null;
  run_id: string;
  target: Json;
}

export interface HomeworkRunEvents {
  created_at: Generated<string>;
  event: Json;
  iteration: number | null;
  run_id: string;
  seq: Int8;
  type: string;
}

export interface HomeworkRunIterations {
  artifacts: Generated<Json>;
  attempts: number;
  branch_id: string | null;
  decision: string | null;
  ended_at: string | null;
  error: string | null;
  error_fingerprint: string | null;
  iteration: number;
  metrics: Generated<Json>;
  plan: Json | null;
  run_id: string;
  started_at: string;
  status: string;
  summary: Generated<string>;
  why: string | null;
}

export interface HomeworkRuns {
  allowed_tools: string[] | null;
  attempts: Generated<number>;
  budgets: Json;
  chat_session_id: string | null;
  claim_seen_at: string | null;
  claimed_at: string | null;
  claimed_by: string | null;
  context_type: string;
  cost_micro_usd: Generated<Int8>;
  created_at: Generated<string>;
  deliverables: Generated<Json>;
  detail: string | null;
  ended_at: string | null;
  engine: string;
  entity_id: string | null;
  fence: Generated<Int8>;
  forked_from_iteration: number | null;
  forked_from_run: string | null;
  guidance: Json | null;
  has_slot: boolean;
  hold: Json | null;
  id: string;
  iteration: number;
  last_seq: Generated<Int8>;
  moves: Generated<number>;
  objective: string;
  plan: Generated<Json>;
  project_ids: Generated<string[]>;
  proofs: Json | null;
  questions: Json | null;
  queued_at: Generated<string>;
  remaining: number | null;
  report: Json | null;
  running_ms: Generated<Int8>;
  scope: string;
  started_at: string | null;
  status: string;
  stop_reason: string | null;
  streaks: Json;
  tokens: Generated<Int8>;
  tool_calls: Generated<number>;
  unread_signals: Generated<number>;
  updated_at: Generated<string>;
  user_id: string;
  workspace_document_id: string | null;
  workspace_project_id: string | null;
  write_mode: string;
}

export interface HomeworkRunSignals {
  asked_in: number | null;
  consumed_iteration: number | null;
  created_at: Generated<string>;
  id: string;
  kind: string;
  question_id: string | null;
  run_id: string;
  text: string;
}

export interface HomeworkRunSteps {
  began_at: Generated<string>;
  ended_at: string | null;
  fence: Int8;
  iteration: number;
  key: string;
  kind: string;
  result: Json | null;
  run_id: string;
  state: string;
}

export interface IdempotencyKeys {
  created_at: Generated<string>;
  key: string;
  request_hash: string;
  response: Json | null;
  status: number | null;
  user_id: string;
}

export interface LlmUsageLogs {
  call_id: string;
  chat_session_id: string | null;
  cost_micro_usd: Generated<Int8>;
  created_at: Generated<string>;
  fence: Int8 | null;
  input_tokens: Generated<Int8>;
  iteration: number | null;
  model: string;
  output_tokens: Generated<Int8>;
  reserved_micro_usd: Int8;
  role: string;
  run_id: string | null;
  settled_at: string | null;
  state: string;
  step_key: string | null;
  user_id: string;
}

export interface NotificationOutbox {
  attempts: Generated<number>;
  channel: string;
  last_error: string | null;
  next_at: Generated<string>;
  notification_id: string;
  state: Generated<string>;
}

export interface OntoChangeCounters {
  last_seq: Generated<Int8>;
  project_id: string;
}

export interface OntoChanges {
  actor_id: string | null;
  at: Generated<string>;
  before: Json | null;
  entity_id: string;
  kind: string;
  op: string;
  project_id: string;
  run_id: string | null;
  seq: Int8;
  title: string;
  version: number | null;
}

export interface OntoDocuments {
  content: Generated<string>;
  created_at: Generated<string>;
  created_by: string | null;
  created_by_run: string | null;
  deleted_at: string | null;
  description: Generated<string>;
  due_at: string | null;
  id: string;
  priority: number | null;
  project_id: string;
  props: Generated<Json>;
  search: Generated<string | null>;
  state_key: Generated<string>;
  title: string;
  type_key: Generated<string>;
  updated_at: Generated<string>;
  updated_by_run: string | null;
  version: Generated<number>;
}

export interface OntoEdges {
  created_at: Generated<string>;
  created_by: string | null;
  created_by_run: string | null;
  deleted_at: string | null;
  dst_id: string;
  dst_kind: string;
  dst_project_id: string;
  id: string;
  props: Generated<Json>;
  rel: string;
  src_id: string;
  src_kind: string;
  src_project_id: string;
  updated_at: Generated<string>;
  version: Generated<number>;
}

export interface OntoGoals {
  content: Generated<string>;
  created_at: Generated<string>;
  created_by: string | null;
  created_by_run: string | null;
  deleted_at: string | null;
  description: Generated<string>;
  due_at: string | null;
  id: string;
  priority: number | null;
  project_id: string;
  props: Generated<Json>;
  search: Generated<string | null>;
  state_key: Generated<string>;
  title: string;
  type_key: Generated<string>;
  updated_at: Generated<string>;
  updated_by_run: string | null;
  version: Generated<number>;
}

export interface OntoMilestones {
  content: Generated<string>;
  created_at: Generated<string>;
  created_by: string | null;
  created_by_run: string | null;
  deleted_at: string | null;
  description: Generated<string>;
  due_at: string | null;
  id: string;
  priority: number | null;
  project_id: string;
  props: Generated<Json>;
  search: Generated<string | null>;
  state_key: Generated<string>;
  title: string;
  type_key: Generated<string>;
  updated_at: Generated<string>;
  updated_by_run: string | null;
  version: Generated<number>;
}

export interface OntoNodes {
  deleted_at: string | null;
  id: string | null;
  kind: string | null;
  project_id: string | null;
  title: string | null;
}

export interface OntoPlans {
  content: Generated<string>;
  created_at: Generated<string>;
  created_by: string | null;
  created_by_run: string | null;
  deleted_at: string | null;
  description: Generated<string>;
  due_at: string | null;
  id: string;
  priority: number | null;
  project_id: string;
  props: Generated<Json>;
  search: Generated<string | null>;
  state_key: Generated<string>;
  title: string;
  type_key: Generated<string>;
  updated_at: Generated<string>;
  updated_by_run: string | null;
  version: Generated<number>;
}

export interface OntoProjectMembers {
  added_at: Generated<string>;
  project_id: string;
  role: string;
  user_id: string;
}

export interface OntoProjects {
  created_at: Generated<string>;
  created_by: string | null;
  created_by_run: string | null;
  deleted_at: string | null;
  description: Generated<string>;
  id: string;
  name: string;
  props: Generated<Json>;
  search: Generated<string | null>;
  state_key: Generated<string>;
  type_key: Generated<string>;
  updated_at: Generated<string>;
  updated_by_run: string | null;
  version: Generated<number>;
}

export interface OntoTasks {
  content: Generated<string>;
  created_at: Generated<string>;
  created_by: string | null;
  created_by_run: string | null;
  deleted_at: string | null;
  description: Generated<string>;
  due_at: string | null;
  id: string;
  priority: number | null;
  project_id: string;
  props: Generated<Json>;
  search: Generated<string | null>;
  state_key: Generated<string>;
  title: string;
  type_key: Generated<string>;
  updated_at: Generated<string>;
  updated_by_run: string | null;
  version: Generated<number>;
}

export interface SchemaMigrations {
  applied_at: Generated<string>;
  checksum: string;
  name: string;
  version: number;
}

export interface UserFeedEvents {
  created_at: Generated<string>;
  data: Json;
  seq: Int8;
  type: string;
  user_id: string;
}

export interface UserFeeds {
  last_seq: Generated<Int8>;
  user_id: string;
}

export interface UserNotifications {
  action_url: string;
  created_at: Generated<string>;
  data: Generated<Json>;
  event: string;
  id: string;
  message: string;
  move: number | null;
  read_at: string | null;
  run_id: string | null;
  title: string;
  user_id: string;
}

export interface DB {
  audit_log: AuditLog;
  auth_accounts: AuthAccounts;
  auth_api_keys: AuthApiKeys;
  auth_sessions: AuthSessions;
  auth_users: AuthUsers;
  auth_verifications: AuthVerifications;
  homework_run_checks: HomeworkRunChecks;
  homework_run_events: HomeworkRunEvents;
  homework_run_iterations: HomeworkRunIterations;
  homework_run_signals: HomeworkRunSignals;
  homework_run_steps: HomeworkRunSteps;
  homework_runs: HomeworkRuns;
  idempotency_keys: IdempotencyKeys;
  llm_usage_logs: LlmUsageLogs;
  notification_outbox: NotificationOutbox;
  onto_change_counters: OntoChangeCounters;
  onto_changes: OntoChanges;
  onto_documents: OntoDocuments;
  onto_edges: OntoEdges;
  onto_goals: OntoGoals;
  onto_milestones: OntoMilestones;
  onto_nodes: OntoNodes;
  onto_plans: OntoPlans;
  onto_project_members: OntoProjectMembers;
  onto_projects: OntoProjects;
  onto_tasks: OntoTasks;
  schema_migrations: SchemaMigrations;
  user_feed_events: UserFeedEvents;
  user_feeds: UserFeeds;
  user_notifications: UserNotifications;
}
