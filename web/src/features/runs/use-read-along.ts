// Reads a part of a run again while its entries come in. The page reads everything again when an iteration ends; what an
// iteration writes meanwhile is seen through this.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { keys } from "../../lib/data/keys.ts";
import { useRun } from "./run-context.tsx";

/** A busy run makes many entries a second; people do not read that fast. */
const atMostEveryMs = 1_500;

export type RunPart = "outputs" | "entries" | "workspace" | "document" | "scratchpad" | "sources";

export function useReadAlong(...parts: readonly RunPart[]): void {
  const { run, view } = useRun();
  const queryClient = useQueryClient();
  const readTo = useRef(view.seq);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wanted = parts.join(" ");
  useEffect(() => {
    if (view.seq === readTo.current) return;
    readTo.current = view.seq;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const part of wanted.split(" "))
        void queryClient.invalidateQueries({ queryKey: [...keys.run(run.id), part] });
    }, atMostEveryMs);
  }, [view.seq, run.id, wanted, queryClient]);
  useEffect(() => () => clearTimeout(timer.current), []);
}
