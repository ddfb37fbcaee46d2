// The program behind the acp backend, which jobs start for each agent run: see src/main/talk.ts.

import { runTypeScript } from "./node24.js";

await runTypeScript(new URL("../src/main/talk-acp.ts", import.meta.url), "run-agent");
