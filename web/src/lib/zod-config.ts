// Keeps zod from compiling parsers at run time: the page's CSP forbids eval.
// Must be the first import of the entry, because schemas decide when they are made.

import { config } from "zod";

config({ jitless: true });
