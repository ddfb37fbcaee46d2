// What someone typed and has not sent, kept over reloads in the browser's own storage. Written a moment after the last key
// press, forgotten at once; `flush` writes at once. Where storage is full or switched off, drafts live as long as the page.

export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export type DraftStorage = {
  /** As JSON had it: the caller checks it. */
  readonly load: (key: string) => unknown;
  /** Null forgets it. */
  readonly keep: (key: string, draft: unknown) => void;
  readonly flush: () => void;
};

/** Storing a long text on every key press would be felt. */
const storeAfterMs = 300;

/** `shelf` is asked for each time: browsers that forbid storage throw when it is touched. */
export function createDraftStorage(shelf: () => Shelf): DraftStorage {
  const waiting = new Map<string, unknown>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    for (const [key, draft] of waiting) store(shelf, key, draft);
    waiting.clear();
  };
  return {
    load: (key) => (waiting.has(key) ? waiting.get(key) : read(shelf, key)),
    keep: (key, draft) => {
      if (draft === null) {
        // At once: what was sent must not come back when the page is left within a moment.
        waiting.delete(key);
        store(shelf, key, null);
        return;
      }
      waiting.set(key, draft);
      clearTimeout(timer);
      timer = setTimeout(flush, storeAfterMs);
    },
    flush,
  };
}

function read(shelf: () => Shelf, key: string): unknown {
  try {
    const stored = shelf().getItem(key);
    return stored === null ? null : JSON.parse(stored);
  } catch {
    return null; // Not ours, or storage is switched off.
  }
}

function store(shelf: () => Shelf, key: string, draft: unknown): void {
  try {
    if (draft === null) shelf().removeItem(key);
    else shelf().setItem(key, JSON.stringify(draft));
  } catch {
    // Full or switched off: the draft is lost with the page, and nothing else.
  }
}

export const drafts = createDraftStorage(() => window.localStorage);
