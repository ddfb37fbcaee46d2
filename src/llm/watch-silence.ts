// Watches an answer as it comes. Only content counts: a stream that is kept alive with empty events is as silent as one that sends
// nothing. Silence is told once it is long, and ended when it is too long.

export type SilenceLimits = {
  /** After this long it is told. */
  readonly tellMs: number;
  /** After this long the call is given up. */
  readonly answerMs: number;
};

/** How long nothing was heard; null: something was heard. */
export type OnSilence = (silentMs: number | null) => void;

export type SilenceWatch = {
  /** Aborted when the call is to be given up. */
  readonly signal: AbortSignal;
  readonly hear: () => void;
  readonly stop: () => void;
};

export function watchSilence({ tellMs, answerMs }: SilenceLimits, onSilence: OnSilence): SilenceWatch {
  const givenUp = new AbortController();
  let isHeard = false;
  const telling = setTimeout(() => {
    isHeard = false;
    onSilence(tellMs);
  }, tellMs);
  const givingUp = setTimeout(() => givenUp.abort(new DOMException("no answer in time", "TimeoutError")), answerMs);
  return {
    signal: givenUp.signal,
    hear: () => {
      telling.refresh();
      givingUp.refresh();
      if (!isHeard) onSilence(null);
      isHeard = true;
    },
    stop: () => {
      clearTimeout(telling);
      clearTimeout(givingUp);
    },
  };
}
