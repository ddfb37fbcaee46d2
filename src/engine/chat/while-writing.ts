// Writes an answer down while it comes: a few times a second, so that people see it grow and find it when they come back. Every
// write is also a sign of life, and how it is noticed that the answer was stopped or is another process's now.

import { AppError } from "../../lib/app-error.ts";
import { Interrupted } from "../../runs/ports/engine.ts";
import { holdAnswer, keepText } from "../../store/chat/chat-answer-store.ts";
import type { ChatWork } from "./chat-host.ts";

/** Faster than anyone reads, slow enough that ten answers at once are no load. */
const everyMs = 200;
/** Silence of 15 s is taken for death (`chatLimits.silentSeconds`): a few signs of life may get lost. */
const beatMs = 5_000;

export type Writer = {
  readonly onText: (text: string) => void;
  /** Another try: what was said so far is not part of the answer. */
  readonly restart: () => void;
};

/** `work` is aborted, and an interruption thrown, once the answer is not being written any more. */
export async function whileWriting<T>(
  { db, env, answer, userId, signal }: Pick<ChatWork, "db" | "env" | "answer" | "userId" | "signal">,
  work: (writer: Writer, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const draft: Draft = { text: "", told: 0, beatAt: env.now() };
  const gone = new AbortController();
  const over = new AbortController();
  const both = AbortSignal.any([signal, gone.signal]);
  const writing = keepWriting({ db, env, answer, userId }, draft, gone, over.signal);
  try {
    const writer: Writer = {
      onText: (text) => {
        draft.text += text;
      },
      restart: () => {
        draft.text = "";
      },
    };
    const result = await work(writer, both);
    if (gone.signal.aborted) throw new Interrupted({ kind: "lost" });
    return result;
  } finally {
    over.abort();
    await writing;
  }
}

/** `told`: how much of the text the watching clients have. */
type Draft = { text: string; told: number; beatAt: number };
type Where = Pick<ChatWork, "db" | "env" | "answer" | "userId">;

async function keepWriting(where: Where, draft: Draft, gone: AbortController, over: AbortSignal): Promise<void> {
  while (!over.aborted && !gone.signal.aborted) {
    await where.env.sleep(everyMs, over).catch(() => {});
    if (over.aborted) return; // The whole of it is written with the end.
    try {
      if (!(await write(where, draft))) gone.abort(new Interrupted({ kind: "lost" }));
    } catch (thrown) {
      // A database that is away may be back in time; the end of the answer will tell.
      if (!(thrown instanceof AppError)) return gone.abort(thrown);
    }
  }
}

/** False: it is not being written any more. */
async function write({ db, env, answer, userId }: Where, draft: Draft): Promise<boolean> {
  const { text, told } = draft;
  const whole = wholeText(text);
  const isNews = whole.length !== told;
  if (!isNews && env.now() < draft.beatAt + beatMs) return true;
  const isOpen = await db.asUser({ userId }, async (tx) => {
    if ((await holdAnswer(tx, answer)) === "gone") return false;
    if (isNews) await keepText(tx, answer, whole, whole.length < told ? 0 : told);
    return true;
  });
  draft.told = whole.length;
  draft.beatAt = env.now();
  return isOpen;
}

/** Half a surrogate pair waits for its other half. */
function wholeText(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
