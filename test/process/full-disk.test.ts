// A real server whose disk fills up: writes are refused with 503, the process lives, and when there is room again it goes on.

import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { ApiError } from "../../src/protocol/api-error.ts";
import { allPages } from "../helpers/all-pages.ts";
import { makeDataFolder, removeDataFolder, type Served, startServer, stopServer } from "../helpers/served.ts";

/** Room for a fresh cluster and its log of writes, but not for much more. */
const diskMegabytes = 220;
const ballastMegabytes = 60;

/** A small disk of its own is a mounted tmpfs, which only root may make. */
function mountSmallDisk(folder: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${diskMegabytes}m,mode=0711`, "tmpfs", folder]).status === 0;
}

const canMount = (() => {
  const folder = makeDataFolder();
  const mounted = mountSmallDisk(folder);
  if (mounted) spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true });
  if (!mounted) process.stderr.write("full-disk.test.ts: not run, because only root may mount a small disk\n");
  return mounted;
})();

/** Writes documents of a megabyte until one is refused. */
async function fillUp({ api }: Served, projectId: string, titles: string[]): Promise<ApiError> {
  for (let n = 0; n < 400; n++) {
    try {
      // Random letters: text that repeats would be compressed away.
      const content = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
        .toString("hex")
        .repeat(8);
      const made = await api(routes.document.create, {
        params: { projectId },
        body: { title: `Document ${n}`, content },
      });
      titles.push(made.title);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }
  throw new Error("the disk did not fill up");
}

// Not run where a small disk cannot be mounted: without it, filling the disk would fill the machine's own.
test.runIf(canMount)("a full disk refuses writes, and room makes them work again", async () => {
  const data = makeDataFolder();
  mountSmallDisk(data);
  const ballast = path.join(data, "ballast");
  writeFileSync(ballast, Buffer.alloc(ballastMegabytes * 1024 * 1024, 1));
  let server: Served | null = null;
  onTestFinished(async () => {
    if (server) await stopServer(server);
    await removeDataFolder(data).catch(() => {});
    spawnSync("umount", ["-l", data]);
    rmSync(data, { recursive: true, force: true });
  });
  mkdirSync(data, { recursive: true });
  server = await startServer(data);
  const { api, url, child } = server;
  const { id: projectId } = await api(routes.projects.create, { body: { name: "Full" } });
  const acknowledged: string[] = [];
  const refused = await fillUp(server, projectId, acknowledged);
  expect([refused.status, refused.code]).toEqual([503, "database_unavailable"]);
  expect(acknowledged.length).toBeGreaterThan(5);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(child.exitCode).toBeNull();

  rmSync(ballast);
  const write = () =>
    api(routes.task.create, { params: { projectId }, body: { title: "There is room again" } }).then(
      () => "written",
      (error: ApiError) => error.code,
    );
  await expect.poll(write, { interval: 500 }).toBe("written");
  const kept = await allPages((query) => api(routes.document.list, { params: { projectId }, query }));
  const titles = kept.map(({ title }) => title);
  expect(acknowledged.filter((title) => !titles.includes(title))).toEqual([]);
});
