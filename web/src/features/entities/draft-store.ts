// Keeps drafts over navigation (in memory) and over reloads and sign-ins (session storage of the tab).

import { z } from "zod";
import type { Draft } from "./draft.ts";

/** What an older version of this page may have left behind is not trusted. */
const storedDraft = z.object({
  baseVersion: z.number(),
  edits: z.object({
    title: z.string().exactOptional(),
    description: z.string().exactOptional(),
    content: z.string().exactOptional(),
  }),
});

/** Storing megabytes on every key press would be felt. */
const storeAfterMs = 400;

const drafts = new Map<string, Draft>();
const pending = new Map<string, ReturnType<typeof setTimeout>>();

const keyOf = (entityId: string) => `homework-draft-${entityId}`;

export function loadDraft(entityId: string): Draft | null {
  const kept = drafts.get(entityId);
  if (kept) return kept;
  try {
    const stored = sessionStorage.getItem(keyOf(entityId));
    return stored ? storedDraft.parse(JSON.parse(stored)) : null;
  } catch {
    return null; // Not a draft, or storage is switched off; drafts then live as long as the page.
  }
}

export function keepDraft(entityId: string, draft: Draft | null): void {
  if (draft) drafts.set(entityId, draft);
  else drafts.delete(entityId);
  clearTimeout(pending.get(entityId));
  pending.set(
    entityId,
    setTimeout(() => store(entityId), storeAfterMs),
  );
}

function store(entityId: string): void {
  pending.delete(entityId);
  const draft = drafts.get(entityId);
  try {
    if (draft) sessionStorage.setItem(keyOf(entityId), JSON.stringify(draft));
    else sessionStorage.removeItem(keyOf(entityId));
  } catch {
    // Full or switched off: the copy in memory stays.
  }
}

window.addEventListener("pagehide", () => {
  for (const entityId of [...pending.keys()]) store(entityId);
});
