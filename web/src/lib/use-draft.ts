// What someone types into a page and has not sent yet, kept over reloads. A component that sends it calls `forget`.

import { useWindowEvent } from "@mantine/hooks";
import { useRef, useState } from "react";
import { drafts } from "./draft-storage.ts";

type Draft<T> = {
  readonly value: T;
  readonly change: (value: T) => void;
  /** For what comes back later: it may be another draft by then. */
  readonly update: (changed: (value: T) => T) => void;
  readonly forget: () => void;
};

/** `read` makes sense of what was kept, or of nothing; a component that is given another key begins anew with React's `key`. */
export function useDraft<T>(key: string, read: (kept: unknown) => T): Draft<T> {
  const [value, setValue] = useState(() => read(drafts.load(key)));
  useWindowEvent("pagehide", drafts.flush);
  const latest = useRef(value);
  const keep = (changed: T) => {
    latest.current = changed;
    setValue(changed);
    drafts.keep(key, changed);
  };
  return {
    value,
    change: keep,
    update: (changed) => keep(changed(latest.current)),
    forget: () => drafts.keep(key, null),
  };
}
