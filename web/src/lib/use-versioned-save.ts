// Saving against the version one has read. When someone else was faster, both versions are kept until the user chose.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { currentOf } from "./failure.ts";

type Versioned = { readonly version: number };

type Options<Thing extends Versioned, Patch> = {
  readonly send: (patch: Patch, version: number) => Promise<Thing>;
  readonly onSaved: (saved: Thing, patch: Patch) => void;
  readonly onTakeTheirs: (current: Thing, patch: Patch) => void;
};

export function useVersionedSave<Thing extends Versioned, Patch>(options: Options<Thing, Patch>) {
  const [conflict, setConflict] = useState<{ readonly patch: Patch; readonly current: Thing } | null>(null);
  const save = useMutation({
    mutationFn: (input: { readonly patch: Patch; readonly version: number }) =>
      options.send(input.patch, input.version),
    onSuccess: (saved, { patch }) => {
      setConflict(null);
      options.onSaved(saved, patch);
    },
    onError: (error, { patch }) => {
      const current = currentOf<Thing>(error);
      if (current) setConflict({ patch, current });
    },
  });
  return {
    save: (patch: Patch, version: number) => save.mutate({ patch, version }),
    isSaving: save.isPending,
    conflict,
    keepMine: () => {
      if (conflict) save.mutate({ patch: conflict.patch, version: conflict.current.version });
    },
    takeTheirs: () => {
      if (conflict) options.onTakeTheirs(conflict.current, conflict.patch);
      setConflict(null);
    },
    dismiss: () => setConflict(null),
  };
}
