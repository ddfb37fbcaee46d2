// Whole runs on the google protocol, with what its providers insist on.

import { playFlows } from "./play-flows.ts";

await playFlows("google");
