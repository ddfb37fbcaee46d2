// The code by which a chat proves whose it is. Only its hash is kept.

import { createHash, randomBytes } from "node:crypto";

/** 120 bits, in signs that Telegram passes on with a link. */
const codeBytes = 15;

/** Long enough to change from the page to the phone. */
export const codeMinutes = 15;

export const newCode = (): string => randomBytes(codeBytes).toString("base64url");

export const hashCode = (code: string): string => createHash("sha256").update(code).digest("hex");
