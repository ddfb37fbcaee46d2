// The program behind the acp backend: see talk.ts. `bin/talk-acp.js` starts it.

import { talk } from "./talk.ts";

process.exitCode = await talk();
process.exit();
