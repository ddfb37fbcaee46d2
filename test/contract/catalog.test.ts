// What the database itself guards, read from its catalog and tried as each of our roles. It does not ask our own code:
// a table that a later migration forgets to protect fails here.

import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { roleFlags, tableSecurity } from "../../src/db/examine.ts";
import { testDb } from "../helpers/test-db.ts";

const db = await testDb();
const login = new pg.Client({ connectionString: db.appUrl });
await login.connect();
afterAll(() => login.end());

const rowsOf = async <Row extends pg.QueryResultRow>(sql: string) => (await db.admin.query<Row>(sql)).rows;

const tables = (
  await rowsOf<{ name: string }>("select tablename as name from pg_tables where schemaname = 'homework' order by 1")
).map(({ name }) => name);

const roles = ["homework_app", "homework_auth", "homework_system"] as const;

/** Runs it as the login would, after choosing a role (or none), and undoes it. The SQLSTATE, or how many rows it met. */
async function attempt(role: string | null, sql: string): Promise<string | number> {
  await login.query("begin");
  try {
    if (role) await login.query(`set local role ${role}`);
    await login.query("select set_config('app.user_id', gen_random_uuid()::text, true)");
    await login.query("set local search_path = homework");
    return (await login.query(sql)).rowCount ?? 0;
  } catch (thrown) {
    return (thrown as pg.DatabaseError).code ?? String(thrown);
  } finally {
    await login.query("rollback");
  }
}

const denied = "42501";

test("the tables are those that this page knows", () => {
  expect(tables).toEqual([
    "agent_hosts",
    "audit_log",
    "auth_accounts",
    "auth_api_keys",
    "auth_sessions",
    "auth_users",
    "auth_verifications",
    "channel_deliveries",
    "channel_secrets",
    "chat_calls",
    "chat_events",
    "chat_messages",
    "chat_sessions",
    "homework_run_changes",
    "homework_run_checks",
    "homework_run_events",
    "homework_run_iterations",
    "homework_run_messages",
    "homework_run_undos",
    "homework_run_words",
    "homework_run_works",
    "homework_runs",
    "homr_activity_log",
    "homr_briefs",
    "homr_context_items",
    "homr_escalation_tasks",
    "homr_escalations",
    "homr_memories",
    "homr_observations",
    "homr_reviews",
    "homr_turns",
    "idempotency_keys",
    "journal_entries",
    "llm_usage_logs",
    "onto_change_counters",
    "onto_changes",
    "onto_documents",
    "onto_edges",
    "onto_goals",
    "onto_milestones",
    "onto_plans",
    "onto_project_members",
    "onto_projects",
    "onto_tasks",
    "outcome_designs",
    "outcome_events",
    "outcome_interventions",
    "outcome_late_costs",
    "outcome_task_attempts",
    "outcome_task_dependencies",
    "outcome_tasks",
    "outcomes",
    "schema_migrations",
    "telegram_bots",
    "telegram_links",
    "user_channels",
    "user_feed_events",
    "user_feeds",
    "user_notification_preferences",
    "user_notifications",
    "user_quotas",
    "user_visits",
  ]);
});

test("every table has row level security, forced on its owner too", async () => {
  const open = await rowsOf(`select relname from pg_class where relnamespace = 'homework'::regnamespace
    and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)`);
  expect(open).toEqual([]);
});

const commands = { r: "SELECT", a: "INSERT", w: "UPDATE", d: "DELETE" } as const;

test("whatever a role was granted on a table, a policy for exactly that role and command limits", async () => {
  const uncovered: string[] = [];
  for (const role of roles)
    for (const [command, privilege] of Object.entries(commands)) {
      const found = await rowsOf<{ name: string }>(`select c.relname as name from pg_class c
        where c.relnamespace = 'homework'::regnamespace and c.relkind in ('r', 'p')
          and (has_table_privilege('${role}', c.oid, '${privilege}')
               ${command === "d" ? "" : `or has_any_column_privilege('${role}', c.oid, '${privilege}')`})
          and not exists (select from pg_policy p where p.polrelid = c.oid and p.polcmd in ('*', '${command}')
                           and '${role}'::regrole = any (p.polroles))`);
      uncovered.push(...found.map(({ name }) => `${role} may ${privilege} ${name} without a policy`));
    }
  expect(uncovered).toEqual([]);
});

test("every table has a policy for each command, and none is for everyone", async () => {
  const covered = await rowsOf<{ name: string; commands: string }>(`select c.relname as name,
      string_agg(distinct case when p.polcmd = '*' then 'adrw' else p.polcmd::text end, '') as commands
    from pg_class c left join pg_policy p on p.polrelid = c.oid
    where c.relnamespace = 'homework'::regnamespace and c.relkind in ('r', 'p') group by 1`);
  const lacking = covered.filter((row) => ![..."adrw"].every((command) => row.commands?.includes(command)));
  expect(lacking).toEqual([]);
  expect(await rowsOf("select polname from pg_policy where 0 = any (polroles)")).toEqual([]);
});

/** Columns that hold ids of rows in other tables and are no foreign keys. docs/decisions/0032 says why. */
const notKeys = {
  // Who or what made a thing is told although the maker is gone.
  maker: [
    "audit_log.actor_id",
    "llm_usage_logs.chat_session_id",
    "llm_usage_logs.outcome_id",
    "onto_changes.actor_id",
    "onto_changes.run_id",
    ...["documents", "edges", "goals", "milestones", "plans", "projects", "tasks"].flatMap((name) => [
      `onto_${name}.created_by`,
      `onto_${name}.created_by_run`,
      ...(name === "edges" ? [] : [`onto_${name}.updated_by_run`]),
    ]),
  ],
  // One of several tables, named by a column beside it.
  anyKind: [
    "chat_sessions.entity_id",
    "homework_runs.entity_id",
    "onto_changes.entity_id",
    "onto_edges.dst_id",
    "onto_edges.src_id",
  ],
  // A list.
  list: ["homework_runs.project_ids", "homr_briefs.items", "homr_context_items.audience"],
};

test("every column that holds the id of another row is a foreign key, or is known not to be one", async () => {
  const found = await rowsOf<{ name: string }>(`
    select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'homework'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
       and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype)
       and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))
       and not (a.attname in ('id', 'call_id') and exists (
         select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any (k.conkey)))
     order by 1`);
  expect(found.map(({ name }) => name).toSorted()).toEqual(Object.values(notKeys).flat().toSorted());
});

/** By a constraint of the table, or by a domain for its type. */
test("every state is constrained", async () => {
  const free = await rowsOf<{ name: string }>(`
    select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'homework'::regnamespace and c.relkind = 'r' and a.attnum > 0 and a.atttypid = 'text'::regtype
       and a.attname in ('status', 'state', 'kind', 'src_kind', 'dst_kind', 'role', 'scope', 'engine', 'write_mode', 'given_by', 'op',
         'stop_reason', 'priced_by')
       and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey))
     order by 1`);
  // What a sign-in provider granted, and the role a model was asked in: the ledger keeps roles that are no more.
  expect(free.map(({ name }) => name)).toEqual(["auth_accounts.scope", "llm_usage_logs.role"]);
});

test("the examiner of `homework doctor` sees the same", async () => {
  const seen = await tableSecurity(db.admin);
  expect(seen.map(({ table }) => table)).toEqual(expect.arrayContaining(tables));
  expect(seen.filter((row) => !row.isEnabled || !row.isForced || row.uncovered.length > 0)).toEqual([]);
  const flags = await roleFlags(db.admin);
  expect(flags.map(({ role }) => role)).toEqual([...roles, `homework_login_${db.name}`].toSorted());
  expect(flags.filter(({ isSuper, bypassesRls, owns }) => isSuper || bypassesRls || owns > 0)).toEqual([]);
});

test("every view runs with its caller's rights", async () => {
  const views = await rowsOf<{ name: string; options: string[] | null }>(`select relname as name, reloptions as options
    from pg_class where relnamespace = 'homework'::regnamespace and relkind in ('v', 'm')`);
  expect(views.length).toBeGreaterThan(0);
  expect(views.filter(({ options }) => !options?.some((one) => /^security_invoker=(true|on)$/.test(one)))).toEqual([]);
});

test("no role of ours is above row level security, and only the login can sign in", async () => {
  const found = await rowsOf<{ name: string; canLogIn: boolean; flags: boolean[] }>(`select rolname as name,
      rolcanlogin as "canLogIn", array[rolsuper, rolbypassrls, rolinherit, rolcreaterole, rolcreatedb, rolreplication] as flags
    from pg_roles where rolname in ('homework_owner', '${roles.join("', '")}', 'homework_login_${db.name}') order by 1`);
  expect(found.map(({ name, canLogIn }) => `${name} ${canLogIn}`)).toEqual([
    "homework_app false",
    "homework_auth false",
    `homework_login_${db.name} true`,
    "homework_owner false",
    "homework_system false",
  ]);
  expect(found.filter(({ flags }) => flags.some(Boolean))).toEqual([]);
});

test("the login may become nothing but the three roles", async () => {
  const member = await rowsOf<{ name: string }>(`select g.rolname as name from pg_auth_members m
    join pg_roles g on g.oid = m.roleid join pg_roles r on r.oid = m.member
    where r.rolname = 'homework_login_${db.name}' order by 1`);
  expect(member.map(({ name }) => name)).toEqual([...roles]);
  expect(await attempt("homework_owner", "select 1")).toBe(denied);
  expect(await attempt("postgres", "select 1")).toBe(denied);
});

/** Functions that look where their caller may not. Whoever adds one says so here, after thinking about what it tells whom. */
const definers = [
  "app_find_runs",
  "app_find_user",
  "app_has_members",
  "app_known_users",
  "app_made_project",
  "app_may_see_history",
  "app_owned_projects",
  "app_readable_projects",
  "app_search",
  "app_search_outcomes",
  "app_storage",
  "app_titled",
  "app_writable_projects",
  "audit_chain",
  "audit_first_broken",
  "keep_an_owner",
  "keep_document_tree",
  "keep_run_words",
  "keep_within_storage",
  "record_created",
  "record_updated",
];

test("functions with more rights than their caller are these, with a fixed search path, and not for everyone", async () => {
  const found = await rowsOf<{ name: string; config: string[]; owner: string; isPublic: boolean }>(`
    select p.proname as name, p.proconfig as config, pg_get_userbyid(p.proowner) as owner,
           p.proacl is null or exists (select from aclexplode(p.proacl) where grantee = 0) as "isPublic"
      from pg_proc p where p.prosecdef and p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
     order by 1`);
  expect(found.map(({ name }) => name)).toEqual(definers);
  // Nothing else is set for them, but that lookups by key stay lookups by key (migration 0034).
  const usual = JSON.stringify(["search_path=homework, pg_temp"]);
  const odd = found.filter(
    (one) => JSON.stringify(one.config.filter((each) => each !== "enable_seqscan=off")) !== usual,
  );
  expect(odd).toEqual([]);
  expect(found.filter(({ owner, isPublic }) => owner !== "homework_system" || isPublic)).toEqual([]);
});

test.for(tables)("the login by itself can do nothing with %s", async (table) => {
  const name = `homework.${table}`;
  for (const sql of [`select from ${name}`, `delete from ${name}`, `truncate ${name}`, `lock ${name} in share mode`])
    expect(await attempt(null, sql)).toBe(denied);
  const [granted] = await rowsOf(
    `select has_table_privilege('homework_login_${db.name}', '${name}', 'SELECT, INSERT, UPDATE, DELETE') as any`,
  );
  expect(granted).toEqual({ any: false });
});

test.for(tables)("nobody can empty %s at a stroke", async (table) => {
  for (const role of roles) expect(await attempt(role, `truncate ${table}`)).toBe(denied);
});

test("signing people in sees none of the users' things", async () => {
  for (const table of [...tables.filter((name) => !/^auth_|^schema_/.test(name)), "onto_nodes"])
    expect([table, await attempt("homework_auth", `select from ${table}`)]).toEqual([table, denied]);
});

test("a user's transaction sees nothing that signs anyone in", async () => {
  const secret = [
    "auth_sessions",
    "auth_accounts",
    "auth_api_keys",
    "auth_verifications",
    "channel_secrets",
    "telegram_links",
  ];
  for (const table of secret)
    expect([table, await attempt("homework_app", `select from ${table}`)]).toEqual([table, denied]);
  const columns = await rowsOf<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = 'homework.auth_users'::regclass and attnum > 0",
  );
  const readable: string[] = [];
  for (const { name } of columns)
    if ((await attempt("homework_app", `select ${name} from auth_users`)) !== denied) readable.push(name);
  expect(readable.toSorted()).toEqual(["created_at", "disabled_at", "email", "id", "name", "role"]);
  for (const sql of [
    "update auth_users set role = 'admin'",
    "delete from auth_users",
    "insert into auth_users default values",
  ])
    expect(await attempt("homework_app", sql)).toBe(denied);
});

const writtenOnce = ["audit_log", "onto_changes", "onto_change_counters", "schema_migrations"];
test.for(writtenOnce)("a user's transaction cannot rewrite %s", async (table) => {
  const [column] = table.startsWith("onto") ? ["project_id"] : ["action"];
  for (const sql of [
    `delete from ${table}`,
    `update ${table} set ${table === "schema_migrations" ? "name" : column} = null`,
  ])
    expect(await attempt("homework_app", sql)).toBe(denied);
});

const ofRuns = tables.filter((name) =>
  /^homework_|^journal_|^llm_|^user_|^notification_|^channel_|^telegram_/.test(name),
);

test.for(ofRuns)("a user's transaction writes nothing to %s", async (table) => {
  const [column] = await rowsOf<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'homework.${table}'::regclass and attnum = 1`,
  );
  for (const sql of [
    `insert into ${table} default values`,
    `update ${table} set ${column?.name} = null`,
    `delete from ${table}`,
    `select from ${table} for update`,
  ])
    expect([sql, await attempt("homework_app", sql)]).toEqual([sql, denied]);
});

test("a user's transaction and signing in do not reach the queue", async () => {
  const ofQueue = await rowsOf<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'homework_queue'",
  );
  expect(ofQueue.length).toBeGreaterThan(3);
  for (const role of [null, "homework_app", "homework_auth"])
    for (const table of [...ofQueue.map(({ name }) => name), "homework.open_jobs"])
      for (const sql of [`select from ${table}`, `delete from ${table}`])
        expect([role, sql, await attempt(role, sql)]).toEqual([role, sql, denied]);
});

test("no role of ours can rewrite the audit log or the list of migrations", async () => {
  for (const role of roles)
    for (const sql of [
      "delete from audit_log",
      "update audit_log set action = 'nothing'",
      "delete from schema_migrations",
      "update schema_migrations set version = 0",
    ])
      expect([role, sql, await attempt(role, sql)]).toEqual([role, sql, denied]);
});

test("a user's transaction leaves no trace under another's name and does not read the log", async () => {
  const insert = "insert into audit_log (actor_id, action, target) values";
  expect(await attempt("homework_app", `${insert} (app_user_id(), 'a', 'b')`)).toBe(1);
  expect(await attempt("homework_app", `${insert} (gen_random_uuid(), 'a', 'b')`)).toBe(denied);
  expect(await attempt("homework_app", `${insert} (null, 'a', 'b')`)).toBe(denied);
  expect(await attempt("homework_app", "insert into audit_log (seq, action, target) values (1, 'a', 'b')")).toBe(
    denied,
  );
  expect(await attempt("homework_app", "select from audit_log")).toBe(denied);
  expect(await attempt("homework_app", "select audit_first_broken()")).toBe(denied);
});

test("a user's transaction creates nothing, and the administrator's password stays out of reach", async () => {
  for (const role of [null, ...roles]) {
    expect(await attempt(role, "select * from homework_admin.login")).toBe(denied);
    expect(await attempt(role, "create role x")).toBe(denied);
    if (role !== "homework_system") expect(await attempt(role, "create table homework.x ()")).toBe(denied);
  }
});
