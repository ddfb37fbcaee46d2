// The shim of jobs in tests, on a machine whose clock is set back by an hour as soon as a file is there. The file is the first argument.

import { existsSync } from "node:fs";

const hourMs = 3_600_000;
const [file = "", ...args] = process.argv.slice(2);
const realNow = Date.now.bind(Date);
Date.now = () => realNow() - (existsSync(file) ? hourMs : 0);
const { openShim } = await import("../../../src/main/open-shim.ts");
const { testBackend } = await import("../test-backend.ts");
process.exit(await openShim(args, async () => testBackend));
