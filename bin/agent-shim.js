// The process that `run-agent` and workers start for each agent run: see src/main/open-shim.ts.

import { runTypeScript } from "./node24.js";

await runTypeScript(new URL("../src/main/agent-shim.ts", import.meta.url), "run-agent");
