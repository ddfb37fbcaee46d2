#!/usr/bin/env node
// `npm test`: everything, on a machine that has only Node and npm. See test/helpers/full-run.ts.

import { runTypeScript } from "./node24.js";

await runTypeScript(new URL("../test/helpers/full-run.ts", import.meta.url), "The test run", { installsAgain: true });
