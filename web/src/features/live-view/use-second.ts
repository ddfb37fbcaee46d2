// The time, once a second, for what counts while one looks at it.

import { useEffect, useState } from "react";

export function useSecond(isCounting: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return nowMs;
}
