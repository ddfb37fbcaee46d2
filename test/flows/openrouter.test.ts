// Whole runs on the openrouter protocol, with what its providers insist on.

import { playFlows } from "./play-flows.ts";

await playFlows("openrouter");
