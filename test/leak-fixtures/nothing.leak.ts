// Opens one of everything and closes it again.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import pg from "pg";
import { test } from "vitest";

test("cleans up after itself", async () => {
  clearInterval(setInterval(() => {}, 60_000));
  const pool = new pg.Pool({ connectionString: process.env.LEAK_DATABASE_URL });
  await pool.query("select 1");
  await pool.end();
  const child = spawn("sleep", ["20"], { stdio: "ignore" });
  child.kill();
  await once(child, "exit");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await new Promise((resolve) => server.close(resolve));
});
