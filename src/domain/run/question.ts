// What the user is asked. `kind` says what the answer will be used for.

import { z } from "zod";
import type { ReadonlyDeep } from "../../lib/readonly-deep.ts";

export const question = z.object({
  id: z.string(),
  kind: z.enum(["question", "approve_plan", "approve_checks", "approve_writes"]),
  text: z.string(),
  options: z.array(z.string()),
});

export type Question = ReadonlyDeep<z.infer<typeof question>>;
