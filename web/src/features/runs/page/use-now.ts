// The time, once a second while something on the page depends on it.

import { useEffect, useState } from "react";

const everyMs = 1_000;

export function useNow(isTicking: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    setNowMs(Date.now());
    if (!isTicking) return;
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [isTicking]);
  return nowMs;
}
