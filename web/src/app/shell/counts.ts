// The numbers of the shell in words: what fits a badge, a tab's title and the button of the live view. Pure.

/** More says nothing more. */
const shownMax = 99;

export function shortCount(number: number): string {
  return number > shownMax ? `${shownMax}+` : String(number);
}

/** `(2) Projects · Homework`; whatever number stood there before is gone. */
export function titleWith(unread: number, title: string): string {
  const bare = title.replace(/^\(\d+\+?\) /, "");
  return unread === 0 ? bare : `(${shortCount(unread)}) ${bare}`;
}

export type AtWork = { readonly running: number; readonly queued: number; readonly waiting: number };

/** On the button that opens the live view; null where there is nothing to watch. */
export function workWords({
  running,
  queued,
  waiting,
}: AtWork): { readonly words: string; readonly count: number } | null {
  if (waiting > 0) return { words: "Homework needs you", count: waiting };
  if (running > 0) return { words: "Homework running", count: running };
  return queued > 0 ? { words: "Homework in line", count: queued } : null;
}

/** The whole of it, for those who do not see the colour. */
export function workSentence({ running, queued, waiting }: AtWork): string {
  const parts = [
    waiting > 0 ? `${waiting} ${waiting === 1 ? "needs" : "need"} you` : "",
    running > 0 ? `${running} running` : "",
    queued > 0 ? `${queued} in line` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}
