#!/usr/bin/env node
// The command `homework`.

import { runTypeScript } from "./node24.js";

// The C library keeps a heap for every thread and hardly gives any back: a server that was sent large things would stay large.
// It also keeps blocks as large as any that it has seen; with fixed bounds they go back to the system at once. What a socket brings is
// read in blocks of up to 64 kB, most of them smaller: the bound lies below, or what many senders sent at once would stay.
const environment =
  process.argv[2] === "serve"
    ? { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "16384", MALLOC_TRIM_THRESHOLD_: "131072" }
    : {};

await runTypeScript(new URL("../src/main/homework.ts", import.meta.url), "Homework", { environment });
