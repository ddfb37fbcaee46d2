// Leaves a server listening.

import { createServer } from "node:http";
import { test } from "vitest";

test("listens", async () => {
  await new Promise<void>((resolve) => createServer().listen(0, "127.0.0.1", resolve));
});
