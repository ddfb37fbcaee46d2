// Whole runs on the anthropic protocol, with what its providers insist on.

import { playFlows } from "./play-flows.ts";

await playFlows("anthropic");
