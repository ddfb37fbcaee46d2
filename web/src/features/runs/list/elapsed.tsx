// How long a run has been at it; counts on while it runs.

import { useEffect, useState } from "react";
import type { RunSummary } from "../../../../../src/protocol/api.ts";
import { duration } from "../../../../../src/protocol/figures.ts";
import { elapsedMs } from "./row-words.ts";

const tickMs = 1_000;

export function Elapsed({ run }: { readonly run: RunSummary }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  const isTicking = run.status === "running";
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isTicking]);
  const ms = elapsedMs(run, nowMs);
  return ms === null ? null : duration(ms);
}
