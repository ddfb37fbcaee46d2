// The process of one agent run, with the real backends. `bin/agent-shim.js` starts it.

import { loadBackend } from "../runner/backends/load-backend.ts";
import { openShim } from "./open-shim.ts";

process.exit(await openShim(process.argv.slice(2), loadBackend));
