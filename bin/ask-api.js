// The program behind the backends over HTTP: see src/main/ask-api.ts.

import { runTypeScript } from "./node24.js";

await runTypeScript(new URL("../src/main/ask-api.ts", import.meta.url), "run-agent");
