// Saving against the version one has read. When someone else was faster, both versions are kept until the user chose.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { currentOf } from "./failure.ts";

export type Versioned = { readonly version: number };

type Options<Thing extends Versioned, Patch> = {
  readonly send: (patch: Patch, version: number) => Promise<Thing>;
  readonly onSaved: (saved: Thing, patch: Patch) => void;
  readonly onTakeTheirs: (current: Thing, patch: Patch) => void;
};

export type VersionedSave<Thing extends Versioned, Patch> = {
  readonly save: (patch: Patch, version: number) => void;
  readonly isSaving: boolean;
  /** What was not saved, and what stands there instead. */
  readonly conflict: { readonly patch: Patch; readonly current: Thing } | null;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
  readonly dismiss: () => void;
};

export function useVersionedSave<Thing extends Versioned, Patch>(
  options: Options<Thing, Patch>,
): VersionedSave<Thing, Patch> {
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

type EditOptions<Thing extends Versioned, Patch> = {
  readonly send: (patch: Patch, version: number) => Promise<Thing>;
  /** Puts the newest version where pages read it. */
  readonly keep: (current: Thing) => void;
  readonly onSaved: (saved: Thing) => void;
  /** Puts the version of the others into the form. */
  readonly fill: (current: Thing) => void;
};

/** Saves against `base`, the version that the form was filled from: a change from elsewhere must not slip in below what is being typed. */
export function useVersionedEdit<Thing extends Versioned, Patch>(thing: Thing, options: EditOptions<Thing, Patch>) {
  const [base, setBase] = useState(thing);
  const saving = useVersionedSave<Thing, Patch>({
    send: options.send,
    onSaved: (saved) => {
      options.keep(saved);
      options.onSaved(saved);
    },
    onTakeTheirs: (current) => {
      options.keep(current);
      setBase(current);
      options.fill(current);
    },
  });
  return { base, saving, save: (patch: Patch) => saving.save(patch, base.version) };
}
