// The audit log: one row for each privileged action, under the name of who did it, that nobody can change unseen.

import pg from "pg";
import { expect, test } from "vitest";
import { brokenAuditRow } from "../../src/db/examine.ts";
import { type Answer, anonymous, testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp();
const admin = await app.signUp("admin");
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");
// Else her first link would take her sessions away: a stranger may have signed up with her address.
await app.admin.query("update homework.auth_users set email_verified = true where id = $1", [anna.id]);
const world = await makeWorld(app.admin, { [anna.id]: "owner" });
const project = `/api/projects/${world.projectId}`;

type Row = { actor_id: string | null; action: string; target: string; details: Record<string, unknown> };

/** What the log gained while this ran. */
async function gained(work: () => Promise<Answer>): Promise<{ answer: Answer; rows: readonly Row[] }> {
  const { rows: before } = await app.admin.query("select coalesce(max(seq), 0) as seq from homework.audit_log");
  const answer = await work();
  const { rows } = await app.admin.query<Row>(
    "select actor_id, action, target, details from homework.audit_log where seq > $1 order by seq",
    [before[0].seq],
  );
  return { answer, rows };
}

type Case = {
  readonly action: string;
  readonly by: string | null;
  readonly do: () => Promise<Answer>;
  readonly target?: () => string;
};

const call = app.call;
const keyId = async () =>
  (await call("POST", "/api/me/keys", anna.session, { body: { name: "k", scopes: ["read"] } })).body.id;
const sessionId = async () => (await (await app.auth.context).internalAdapter.createSession(anna.id)).id;
const signIn = (password: string) =>
  call("POST", "/api/auth/sign-in", anonymous, { body: { email: anna.email, password } });
const change = (id: string, body: object) => call("PATCH", `/api/users/${id}`, admin.session, { body });
const newAccount = (email: string) => ({ name: "New", email, password: "a long password" });

const cases: readonly Case[] = [
  { action: "sign_in", by: anna.id, do: () => signIn(anna.password), target: () => `user:${anna.id}` },
  { action: "sign_in_failed", by: null, do: () => signIn("not the password"), target: () => `email:${anna.email}` },
  {
    action: "sign_out",
    by: anna.id,
    do: async () => call("POST", "/api/auth/sign-out", await app.newSession(anna.id)),
  },
  {
    action: "sign_in",
    by: anna.id,
    do: async () => call("GET", (await app.auth.loginLink(anna.email)).replace(/^https?:\/\/[^/]+/, ""), anonymous),
  },
  {
    action: "key_created",
    by: anna.id,
    do: () => call("POST", "/api/me/keys", anna.session, { body: { name: "n", scopes: ["run"] } }),
  },
  {
    action: "user_created",
    by: admin.id,
    do: () => call("POST", "/api/users", admin.session, { body: newAccount("made@x.test") }),
  },
  { action: "user_changed", by: admin.id, do: () => change(ben.id, { role: "admin" }), target: () => `user:${ben.id}` },
  { action: "user_changed", by: admin.id, do: () => change(ben.id, { role: "user" }), target: () => `user:${ben.id}` },
  {
    action: "member_added",
    by: anna.id,
    do: () => call("POST", `${project}/members`, anna.session, { body: { email: ben.email, role: "viewer" } }),
    target: () => `user:${ben.id}`,
  },
  {
    action: "member_changed",
    by: anna.id,
    do: () => call("PATCH", `${project}/members/${ben.id}`, anna.session, { body: { role: "editor" } }),
    target: () => `user:${ben.id}`,
  },
  { action: "member_removed", by: anna.id, do: () => call("DELETE", `${project}/members/${ben.id}`, anna.session) },
  {
    action: "project_binned",
    by: anna.id,
    do: () => call("DELETE", project, anna.session),
    target: () => `project:${world.projectId}`,
  },
  { action: "project_restored", by: anna.id, do: () => call("POST", `${project}/restore`, anna.session) },
  {
    action: "password_changed",
    by: anna.id,
    do: () => {
      const body = { current_password: anna.password, new_password: "a new password" };
      return call("POST", "/api/me/password", anna.session, { body });
    },
  },
  { action: "session_revoked", by: anna.id, do: () => call("DELETE", "/api/me/sessions", anna.session) },
];

test.for(cases)("$action leaves one row under the right name", async (one) => {
  const { answer, rows } = await gained(one.do);
  expect(answer.status < 400 || one.action === "sign_in_failed").toBe(true);
  expect(rows.map(({ action, actor_id }) => [action, actor_id])).toEqual([[one.action, one.by]]);
  if (one.target) expect(rows[0]?.target).toBe(one.target());
  expect(JSON.stringify(rows)).not.toContain('password":');
});

test("a key or session that is ended leaves one row that names it", async () => {
  const [key, session] = [await keyId(), await sessionId()];
  const revoked = await gained(() => call("DELETE", `/api/me/keys/${key}`, anna.session));
  const ended = await gained(() => call("DELETE", `/api/me/sessions/${session}`, anna.session));
  expect([...revoked.rows, ...ended.rows].map(({ action, target }) => [action, target])).toEqual([
    ["key_revoked", `key:${key}`],
    ["session_revoked", `session:${session}`],
  ]);
});

test("signing up leaves one row", async () => {
  const { rows } = await gained(() => call("POST", "/api/auth/sign-up", anonymous, { body: newAccount("up@x.test") }));
  expect(rows.map(({ action }) => action)).toEqual(["sign_up"]);
});

test("what was refused leaves none", async () => {
  const refused: readonly (() => Promise<Answer>)[] = [
    () => change(admin.id, { disabled: true }),
    () => call("DELETE", project, ben.session),
    () => call("POST", `${project}/members`, anna.session, { body: { email: "nobody@x.test", role: "viewer" } }),
    () => call("DELETE", `${project}/members/${anna.id}`, anna.session),
    () =>
      call("POST", "/api/me/password", anna.session, {
        body: { current_password: "wrong", new_password: "a longer one" },
      }),
  ];
  for (const work of refused) {
    const { answer, rows } = await gained(work);
    expect([answer.status >= 400, rows]).toEqual([true, []]);
  }
});

test("whoever manages the installation can read it, newest first, page by page", async () => {
  const first = await call("GET", "/api/audit?limit=3", admin.session);
  const second = await call("GET", `/api/audit?limit=3&cursor=${first.body.next_cursor}`, admin.session);
  const numbers = [...first.body.items, ...second.body.items].map(({ seq }: { seq: number }) => seq);
  expect(numbers).toEqual(Array.from({ length: 6 }, (_, index) => (numbers[0] ?? 0) - index));
});

test("it can be read for one person, and for one part of the product", async () => {
  const read = async (query: string) => (await call("GET", `/api/audit?${query}`, admin.session)).body.items;
  const ofAnna: readonly { actor_id: string; action: string }[] = await read(`limit=200&actor_id=${anna.id}`);
  expect(new Set(ofAnna.map(({ actor_id: by }) => by))).toEqual(new Set([anna.id]));
  expect(new Set(ofAnna.map(({ action }) => action)).size).toBeGreaterThan(1);
  const ofAccounts: readonly { action: string }[] = await read("limit=200&part=accounts");
  expect(ofAccounts.map(({ action }) => action)).toContain("sign_in");
  expect(ofAccounts.filter(({ action }) => /^(member|project|run|outcome)_/.test(action))).toEqual([]);
  expect((await call("GET", "/api/audit?part=everything", admin.session)).status).toBe(400);
});

const numbered = "select seq from homework.audit_log order by seq";

test("many at once are numbered without a gap, and the chain holds", async () => {
  await Promise.all(Array.from({ length: 8 }, () => signIn("not the password")));
  const { rows } = await app.admin.query<{ seq: string }>(numbered);
  expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, index) => index + 1));
  expect(await asSuperuser(brokenAuditRow)).toBeNull();
});

async function asSuperuser<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: app.testDb.adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What the examiner says of a log that was tampered with; put right afterwards. */
function brokenAfter(tamper: string): Promise<number | null> {
  return asSuperuser(async (client) => {
    await client.query("create table public.kept as select * from homework.audit_log");
    await client.query(tamper);
    const broken = await brokenAuditRow(client);
    await client.query(`alter table homework.audit_log disable trigger user; truncate homework.audit_log;
      insert into homework.audit_log select * from public.kept; drop table public.kept;
      alter table homework.audit_log enable trigger user`);
    return broken;
  });
}

const log = "homework.audit_log";
const tamperings: readonly (readonly [string, string, number])[] = [
  ["a byte of its target is flipped", `update ${log} set target = overlay(target placing 'X' from 1) where seq = 3`, 3],
  ["another is named as actor", `update ${log} set actor_id = gen_random_uuid() where seq = 4`, 4],
  ["its details grow", `update ${log} set details = details || '{"a":1}' where seq = 2`, 2],
  ["its time moves by a millisecond", `update ${log} set at = at + interval '1 ms' where seq = 6`, 6],
  ["its hash is flipped", `update ${log} set hash = set_byte(hash, 0, get_byte(hash, 0) # 1) where seq = 5`, 5],
  ["the one before it is gone", `delete from ${log} where seq = 6`, 7],
];
test.for(tamperings)("a row is named when %s", async ([, tamper, row]) => {
  expect(await brokenAfter(tamper)).toBe(row);
  expect(await asSuperuser(brokenAuditRow)).toBeNull();
});

test("a row that is written anew with a hash that fits is betrayed by the next", async () => {
  const tamper = `update ${log} set target = 'nobody', hash = homework.audit_hash(previous, seq, at, actor_id, action, 'nobody', details) where seq = 3`;
  expect(await brokenAfter(tamper)).toBe(4);
});

test("not even the owner of the tables can change a row", async () => {
  const changed = await asSuperuser(async (client) => {
    await client.query("set role homework_owner");
    return client.query("update homework.audit_log set target = 'x'");
  });
  expect(changed.rowCount).toBe(0); // Row level security is forced, and no policy speaks of the owner.
});
