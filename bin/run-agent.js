#!/usr/bin/env node
// The command `run-agent`.

import { runTypeScript } from "./node24.js";

await runTypeScript(new URL("../src/main/run-agent.ts", import.meta.url), "run-agent");
