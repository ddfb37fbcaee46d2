// What a password may be: long enough to be worth something, short enough to hash.

import { AppError } from "../../lib/app-error.ts";

/** Characters as a person counts them: a flag or a face is one or two, not eight bytes. */
export const passwordLimits = { min: 10, max: 200 } as const;

export function requirePassword(password: string): string {
  const { length } = [...password];
  if (length >= passwordLimits.min && length <= passwordLimits.max) return password;
  const { min, max } = passwordLimits;
  throw new AppError("invalid_request", `A password has ${min} to ${max} characters; this one has ${length}.`);
}
