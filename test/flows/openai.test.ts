// Whole runs on the openai protocol, with what its providers insist on.

import { playFlows } from "./play-flows.ts";

await playFlows("openai");
