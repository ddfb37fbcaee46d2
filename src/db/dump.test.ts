import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type pg from "pg";
import { afterAll, expect, test } from "vitest";
import { storeWorld } from "../../test/helpers/store-world.ts";
import { onServer } from "../../test/helpers/test-db.ts";
import { contentsOf } from "../../test/helpers/whole-database.ts";
import { setEntityBinned } from "../store/entity/entity-store.ts";
import { writeAudit } from "../store/identity/audit-store.ts";
import { dump } from "./dump.ts";
import { linesOf } from "./dump-format.ts";
import { brokenAuditRow } from "./examine.ts";
import { restore } from "./restore.ts";

const world = await storeWorld();
const folder = mkdtempSync(path.join(tmpdir(), "homework-dump-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asAdmin = <T>(work: (client: pg.Client) => Promise<T>) => onServer(world.adminUrl, work);

const contents = () => contentsOf(world.admin);

async function fill(): Promise<void> {
  const user = await world.makeUser('Ann "\\" O\'Neill ☂');
  const project = await world.makeProject(user, "Everything");
  for (let n = 0; n < 700; n++) await world.makeEntity(user, project, "task", `Task ${n}`);
  const binned = await world.makeEntity(user, project, "document", '{"table":"onto_tasks"}');
  await world.as(user, (tx) => setEntityBinned(tx, "document", project, binned, true));
  await world.as(user, (tx) => writeAudit(tx, { actorId: user, action: "key_created", target: "key:1" }));
}

test("a restored dump is what was dumped, to the last byte", async () => {
  await fill();
  const before = await contents();
  const file = path.join(folder, "whole.gz");
  const dumped = await asAdmin((client) => dump(client, file));
  await world.admin.query("update homework.onto_tasks set title = 'changed since'");
  const restored = await asAdmin((client) => restore(client, file, true));
  expect(restored).toEqual(dumped);
  expect(await contents()).toEqual(before);
  expect(await asAdmin(brokenAuditRow)).toBeNull();
});

test("row level security and history work after a restore as before", async () => {
  const { rows } = await world.admin.query(
    "select relname from pg_class where relnamespace = 'homework'::regnamespace and relkind = 'r' and not relforcerowsecurity",
  );
  expect(rows).toEqual([]);
  const user = await world.makeUser();
  const project = await world.makeProject(user);
  const { rows: history } = await world.admin.query("select seq from homework.onto_changes where project_id = $1", [
    project,
  ]);
  expect(history).toHaveLength(1);
});

test("a database that holds something is not overwritten without being told", async () => {
  const file = path.join(folder, "again.gz");
  await asAdmin((client) => dump(client, file));
  const before = await contents();
  await expect(asAdmin((client) => restore(client, file, false))).rejects.toMatchObject({ code: "already_exists" });
  expect(await contents()).toEqual(before);
});

test("an existing file is not overwritten", async () => {
  const file = path.join(folder, "mine.gz");
  writeFileSync(file, "mine");
  await expect(asAdmin((client) => dump(client, file))).rejects.toMatchObject({ code: "EEXIST" });
  expect(readFileSync(file, "utf8")).toBe("mine");
});

const damages: readonly (readonly [what: string, damage: (dump: Buffer) => Buffer])[] = [
  ["cut off in the middle", (bytes) => bytes.subarray(0, bytes.length / 2)],
  ["not a dump at all", () => Buffer.from("hello")],
  ["another kind of gzip file", () => gzipSync("hello\n")],
  ["missing its last line", (bytes) => gzipSync(gunzipSync(bytes).toString().split("\n").slice(0, -2).join("\n"))],
  [
    "nested too deep",
    (bytes) =>
      gzipSync(
        gunzipSync(bytes)
          .toString()
          .replace(/"props": "\{\}"/, `"props": ${"[".repeat(50_000)}`),
      ),
  ],
  ["missing a row", (bytes) => gzipSync(gunzipSync(bytes).toString().split("\n").toSpliced(3, 1).join("\n"))],
  [
    "of a future schema",
    (bytes) =>
      gzipSync(
        gunzipSync(bytes)
          .toString()
          .replace(/"schema_version":\d+/, '"schema_version":999'),
      ),
  ],
];

test.each(damages)("a dump that is %s changes nothing", async (what, damage) => {
  const file = path.join(folder, `${what}.gz`);
  await asAdmin((client) => dump(client, file));
  writeFileSync(file, damage(readFileSync(file)));
  const before = await contents();
  await expect(asAdmin((client) => restore(client, file, true))).rejects.toMatchObject({
    name: "AppError",
    cause: undefined,
  });
  expect(await contents()).toEqual(before);
});

test("a dump of 0.4.0 is restored, as far as it was whole", async () => {
  const file = path.join(folder, "former.gz");
  await asAdmin((client) => dump(client, file));
  const before = await contents();
  const former = gunzipSync(readFileSync(file))
    .toString()
    .replace("homework-dump-2", "homework-dump-1")
    .replaceAll(/^\{"sequence":.*\n/gm, "")
    .replaceAll('"props": "{}"', '"props": {}');
  writeFileSync(file, gzipSync(former));
  await asAdmin((client) => restore(client, file, true));
  const after = await contents();
  expect(after.get("onto_tasks")).toBe(before.get("onto_tasks"));
});

test("numbers that were drawn and given up are not drawn again", async () => {
  const { rows } = await world.admin.query("select nextval('homework.homr_observations_seq_seq') as drawn");
  const file = path.join(folder, "drawn.gz");
  await asAdmin((client) => dump(client, file));
  await world.admin.query("alter sequence homework.homr_observations_seq_seq restart with 1");
  await asAdmin((client) => restore(client, file, true));
  const { rows: next } = await world.admin.query("select nextval('homework.homr_observations_seq_seq') as drawn");
  expect(Number(next[0].drawn)).toBe(Number(rows[0].drawn) + 1);
});

test("a restore that fails takes the numbers back, too", async () => {
  await world.admin.query("alter sequence homework.homr_observations_seq_seq restart with 100");
  const file = path.join(folder, "refused.gz");
  await asAdmin((client) => dump(client, file));
  const lines = gunzipSync(readFileSync(file))
    .toString()
    .replace(/"homr_observations_seq_seq","next":"100"/, '"homr_observations_seq_seq","next":"0"');
  writeFileSync(file, gzipSync(lines));
  await expect(asAdmin((client) => restore(client, file, true))).rejects.toMatchObject({ code: "invalid_request" });
  const { rows } = await world.admin.query("select nextval('homework.homr_observations_seq_seq') as drawn");
  expect(Number(rows[0].drawn)).toBe(100);
});

test("a line is read up to its bound, and one beyond it is refused before it is whole", async () => {
  const file = path.join(folder, "lines.gz");
  const read = async (longest: number) => {
    writeFileSync(file, gzipSync(`{"a":1}\n${"x".repeat(longest)}`));
    const lengths: number[] = [];
    for await (const line of linesOf(file, 100_000)) lengths.push(line.length);
    return lengths;
  };
  expect(await read(100_000)).toEqual([7, 100_000]);
  await expect(read(10_000_000)).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(/a line of it is longer/),
  });
});
