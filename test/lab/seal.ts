// What a provider hides in a signature or a ciphertext: facts that only the lab can write and read. Whether a seal is the
// lab's own can be told without remembering it, so it holds over a restart of the lab. Only tests import it.

import { createHash, createHmac } from "node:crypto";

export type Seal = {
  readonly by: "claude" | "openai" | "gemini" | "openrouter";
  readonly model: string;
  readonly account: string;
  /** A hash of what it seals: the thinking's own text, an item's id. */
  readonly content: string;
  /** A hash of all that was before it. */
  readonly before?: string;
};

export const hashText = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 24);

const signPayload = (payload: string): string =>
  createHmac("sha256", "lab").update(payload).digest("base64url").slice(0, 16);

export function writeSeal(seal: Seal): string {
  const payload = Buffer.from(JSON.stringify(seal)).toString("base64url");
  return `lab.${payload}.${signPayload(payload)}`;
}

/** Null where it was altered or is not the lab's. */
export function readSeal(text: string): Seal | null {
  const [lab, payload = "", mac] = text.split(".");
  if (lab !== "lab" || mac !== signPayload(payload)) return null;
  return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Seal;
}
