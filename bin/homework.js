#!/usr/bin/env node
// The command `homework`.

import { runTypeScript } from "./node24.js";

await runTypeScript(new URL("../src/main/homework.ts", import.meta.url), "Homework", {
  isTranslated: true,
});
