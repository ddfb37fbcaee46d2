// The one shape every error answer has.

import { z } from "zod";
import { type ErrorCode, errorCodes } from "../lib/app-error.ts";

export const errorEnvelope = z.object({
  error: z.object({
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
