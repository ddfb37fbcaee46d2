// The process that takes foreign pages apart, started by servers and workers: see src/main/read-pages.ts.

import { runTypeScript } from "./node24.js";

await runTypeScript(new URL("../src/main/read-pages.ts", import.meta.url), "homework");
