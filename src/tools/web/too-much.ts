// By which signal the process that takes pages apart ends when a page was too much for it: by its watchdog's, or by one of the engine's, which
// has no memory left. The system, which lacks memory for other reasons, and we, who have waited long enough, use another.

export const tooMuchSignal = "SIGUSR2";

export const isTooMuch = (signal: NodeJS.Signals | null): boolean =>
  signal !== null && [tooMuchSignal, "SIGABRT", "SIGTRAP", "SIGILL"].includes(signal);
