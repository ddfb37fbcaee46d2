// The status block in what an agent said. Most agents write none, and what reads one takes longer to load than a short run lasts.

import { createRequire } from "node:module";
import type { ParsedStatus } from "../domain/run/output/status-block.ts";

/** Its name, or what could hide it: a colour in the middle of it, a letter that JSON escapes. */
const mayHold = new RegExp(`BUILDOS_HOMEWORK_STATUS|${String.fromCharCode(27)}|\\\\u`);

export function readStatus(output: string): ParsedStatus {
  if (!mayHold.test(output)) return { kind: "missing" };
  const { parseStatusBlock }: typeof import("../domain/run/output/status-block.ts") = createRequire(import.meta.url)(
    "../domain/run/output/status-block.ts",
  );
  return parseStatusBlock(output);
}
