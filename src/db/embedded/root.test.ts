// PostgreSQL refuses to run as root: whom root hands it to, and where things are put that this user can reach.

import { execFileSync } from "node:child_process";
import { chownSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { realEnv } from "../../../test/helpers/embedded-env.ts";
import {
  cleanUp,
  copyPrograms,
  isRoot,
  makeFolder,
  open,
  query,
  startOpener,
} from "../../../test/helpers/embedded-fixture.ts";
import { identify } from "../../files/process-identity.ts";
import { removeEmbedded } from "./stop-embedded.ts";

afterEach(cleanUp);

/** An ordinary user: initdb insists that it has a name. */
const somebody = { uid: 65_534, gid: 65_534 };

function platformWith(folders: { shared: string; binaries?: string }) {
  const { shared, binaries } = folders;
  return { uid: process.getuid?.(), pid: process.pid, sharedFolders: [shared], ...(binaries ? { binaries } : {}) };
}

test.runIf(isRoot)(
  "below a closed folder, database and programs go where the database's user can reach them",
  async () => {
    const [closed, shared] = [makeFolder(0o700), makeFolder(0o755)];
    const dataDir = path.join(closed, "data");
    const platform = platformWith({ shared, binaries: copyPrograms(closed) });
    const first = await open(dataDir, { platform });
    expect(first.info.dataFolder.startsWith(shared)).toBe(true);
    expect(first.info.binaries.startsWith(shared)).toBe(true);
    expect(first.said.join("\n")).toContain(path.dirname(first.info.dataFolder));
    expect(statSync(first.info.dataFolder).uid).not.toBe(0);
    await query(first.adminUrl, "create table note (words text); insert into note values ('kept')");
    await first.release();

    // The data folder remembers, even if the next start would look elsewhere.
    const again = await open(dataDir, { platform: { ...platform, sharedFolders: [makeFolder(0o755)] } });
    expect(again.info).toMatchObject({ createdNow: false, dataFolder: first.info.dataFolder });
    expect(await query(again.adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
    await again.release();

    // A copy of the data folder points to the same database.
    const copied = path.join(closed, "copy");
    execFileSync("cp", ["-a", dataDir, copied]);
    await expect(open(copied, { platform })).rejects.toMatchObject({ code: "config_invalid" });

    // Moved, it is the owner.
    rmSync(dataDir, { recursive: true });
    expect((await open(copied, { platform })).info).toMatchObject({ createdNow: false });
    await removeEmbedded(copied, realEnv);
    expect(existsSync(path.dirname(first.info.dataFolder))).toBe(false);
  },
);

test.runIf(isRoot)("a closed umask closes nothing that the database's user needs", async () => {
  const [closed, shared] = [makeFolder(0o700), path.join(makeFolder(0o755), "made", "here")];
  const before = process.umask(0o077);
  const opening = open(path.join(closed, "data"), { platform: platformWith({ shared }) });
  const { adminUrl } = await opening.finally(() => process.umask(before));
  expect(await query(adminUrl, "select 1 as one")).toEqual([{ one: 1 }]);
});

test.runIf(isRoot)("a database that its data folder forgot is neither used nor removed", async () => {
  const [closed, shared] = [makeFolder(0o700), makeFolder(0o755)];
  const platform = platformWith({ shared });
  const forgotten = await open(closed, { platform });
  for (const name of readdirSync(closed)) rmSync(path.join(closed, name), { recursive: true });
  const { info, said } = await open(closed, { platform });
  expect(info.dataFolder).not.toBe(forgotten.info.dataFolder);
  expect(said.join("\n")).toContain(`still in ${path.dirname(forgotten.info.dataFolder)}`);
  expect(existsSync(path.join(forgotten.info.dataFolder, "PG_VERSION"))).toBe(true);
  expect(identify(forgotten.info.pid)).toBeUndefined();
});

test.runIf(isRoot)("an ordinary user needs none of this, and root does not lock that user out", async () => {
  const dataDir = makeFolder(0o700);
  chownSync(dataDir, somebody.uid, somebody.gid);
  const theirs = startOpener({ dataDir }, somebody);
  expect(await theirs.opened).toMatchObject([{ osUser: null, createdNow: true }]);
  await theirs.release();

  const roots = await open(dataDir);
  expect(statSync(`/proc/${roots.info.pid}`).uid).toBe(somebody.uid);
  await roots.release();

  const owners = readdirSync(dataDir, { recursive: true, encoding: "utf8" }).map(
    (name) => statSync(path.join(dataDir, name)).uid,
  );
  expect(new Set(owners)).toEqual(new Set([somebody.uid]));
  const again = startOpener({ dataDir }, somebody);
  expect(await again.opened).toMatchObject([{ createdNow: false }]);
  await again.release();
});

test.runIf(isRoot)("somebody else's folder is refused with advice", async () => {
  const dataDir = makeFolder(0o700);
  await expect(startOpener({ dataDir }, somebody).opened).rejects.toThrow(/may not use .*chown/);
});

test.runIf(isRoot)("a user id without a name, as containers like them, is told what is missing", async () => {
  const nameless = { uid: 54_321, gid: 54_321 };
  const dataDir = makeFolder(0o700);
  chownSync(dataDir, nameless.uid, nameless.gid);
  await expect(startOpener({ dataDir }, nameless).opened).rejects.toThrow(/user id 54321 has no name/);
  await expect(open(dataDir)).rejects.toThrow(/user id 54321 has no name/);
});
