// The numbers of the shell in words: what fits a badge, a tab's title and the header's pill. Pure.

/** More says nothing more. */
const shownMax = 99;

export function shortCount(number: number): string {
  return number > shownMax ? `${shownMax}+` : String(number);
}

/** Questions of agents stand in the bell as long as they are open. */
export function bellLabel(unread: number, asked: number): string {
  const parts = [
    unread === 0 ? "" : `${unread} unread`,
    asked === 0 ? "" : `${asked} ${asked === 1 ? "question" : "questions"} of agents`,
  ];
  return ["Notifications", ...parts.filter((part) => part !== "")].join(", ");
}

/** Unread notifications that are not among those listed; never less than none, while one of the two is older than the other. */
export function countUnlisted(unread: number, listed: readonly { readonly read_at: string | null }[]): number {
  return Math.max(0, unread - listed.filter((item) => item.read_at === null).length);
}

/** `(2) Projects · Homework`; whatever number stood there before is gone. */
export function titleWith(unread: number, title: string): string {
  const bare = title.replace(/^\(\d+\+?\) /, "");
  return unread === 0 ? bare : `(${shortCount(unread)}) ${bare}`;
}

export type AtWork = {
  readonly running: number;
  readonly queued: number;
  /** Runs that wait for their user. */
  readonly waiting: number;
  /** Questions of outcomes. */
  readonly questions: number;
  /** Questions of agents. */
  readonly agents: number;
};

export const countNeeding = ({ waiting, questions, agents }: AtWork): number => waiting + questions + agents;

/** `2 running · 1 needs you`; empty where nothing is at work. */
export function workWords(atWork: AtWork): string {
  const { running, queued } = atWork;
  const needing = countNeeding(atWork);
  const parts = [
    running > 0 ? `${running} running` : "",
    queued > 0 ? `${queued} queued` : "",
    needing > 0 ? `${needing} ${needing === 1 ? "needs" : "need"} you` : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** The number that a narrow header has room for: what needs the user goes before what runs. */
export function urgentCount(atWork: AtWork): number {
  return countNeeding(atWork) || atWork.running || atWork.queued;
}

export type SoleStatus = "waiting_on_user" | "running" | "queued";

/** The status that exactly one run has, if that run is what the user wants to see; null: home shows all of them. */
export function soleStatus({ running, queued, waiting, questions, agents }: AtWork): SoleStatus | null {
  if (questions + agents > 0) return null;
  if (waiting > 0) return waiting === 1 ? "waiting_on_user" : null;
  if (running > 0) return running === 1 ? "running" : null;
  return queued === 1 ? "queued" : null;
}
