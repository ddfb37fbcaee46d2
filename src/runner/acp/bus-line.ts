// The bus of a task as an agent hears it: questions that wait for an answer, and what people say meanwhile. A question and its answer
// are on the disk; one that is answered after its run has ended counts for the same question of a later run.

import type { Bus } from "../bus/bus.ts";
import type { BusEntry } from "../bus/entry.ts";
import { isAnswerTo, isOfPerson } from "../bus/questions.ts";
import { followBus, readBody, tailBus } from "../bus/read-bus.ts";

export type BusQuestion = {
  readonly body: string;
  /** The same for the same request, whichever run makes it. */
  readonly key: string;
};

export type BusLine = {
  /** The answer's text. Rejects when the signal says so. One question at a time is open. */
  readonly ask: (question: BusQuestion, signal: AbortSignal) => Promise<string>;
  /** What people have said since the last call. */
  readonly takeMessages: () => readonly string[];
};

export type BusLineOptions = {
  readonly runId: string;
  /** Words without an address are for the run that no other run has started. */
  readonly isRoot: boolean;
  /** When the run began. */
  readonly since: string;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** The last message that the agent is told: the loop of its task need not tell it again. */
  readonly heard: (messageId: string) => void;
};

const retryMs = 1_000;
/** Earlier questions are looked for among so many messages. */
const lookBack = 2_000;
/** More than people say while an agent works. */
const messagesMax = 1_000;

type Open = { readonly question: BusEntry; readonly done: (entry: BusEntry) => void };

export function openBusLine(bus: Bus, options: BusLineOptions): BusLine {
  const messages: BusEntry[] = [];
  let open: Open | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  const said = new Set<string>();
  const take = (entry: BusEntry) => {
    if (entry.run_id === options.runId) said.add(entry.msg_id);
    if (open !== null && isAnswerTo(entry, open.question)) open.done(entry);
    else if (isMessageTo(entry, options.isRoot, said) && messages.length < messagesMax) messages.push(entry);
  };
  void follow(bus, options, take);
  const bodyOf = (entry: BusEntry): string => {
    const read = readBody(bus, entry);
    return read.kind === "text" ? read.text : entry.body;
  };
  const askOne = async ({ body, key }: BusQuestion, signal: AbortSignal): Promise<string> => {
    signal.throwIfAborted();
    const late = findLateAnswer(tailBus(bus, lookBack).entries, key);
    if (late !== null) {
      await bus.post({ ...describeUse(late, key), run_id: options.runId });
      return bodyOf(late);
    }
    const question = await bus.post({ type: "QUESTION", run_id: options.runId, body, meta: { permission: key } });
    try {
      return bodyOf(
        await new Promise<BusEntry>((done, failed) => {
          open = { question, done };
          signal.addEventListener("abort", () => failed(signal.reason), { once: true });
        }),
      );
    } finally {
      open = null;
    }
  };
  return {
    ask: (question, signal) => {
      const asked = queue.then(() => askOne(question, signal));
      queue = asked.catch(() => {});
      return asked;
    },
    takeMessages: () => {
      const taken = messages.splice(0);
      const last = taken.at(-1);
      if (last !== undefined) options.heard(last.msg_id);
      return taken.map(bodyOf);
    },
  };
}

async function follow(bus: Bus, options: BusLineOptions, take: (entry: BusEntry) => void): Promise<void> {
  const { signal, log } = options;
  const seen = new Set<string>();
  while (!signal.aborted) {
    try {
      for await (const { entries } of followBus(bus, { since: { ts: options.since }, signal }))
        for (const entry of entries) {
          if (!seen.has(entry.msg_id)) take(entry);
          seen.add(entry.msg_id);
        }
    } catch (error) {
      log(`The bus cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      await bus.root.env.sleep(retryMs, signal).catch(() => {});
    }
  }
}

/** Words of people to nothing are for the root; a reply is for the run that it replies to. */
function isMessageTo(entry: BusEntry, isRoot: boolean, said: ReadonlySet<string>): boolean {
  if (!isOfPerson(entry)) return false;
  return entry.parents.length === 0 ? isRoot : entry.parents.some(({ msg_id: id }) => said.has(id));
}

/** An answer that came too late for the run that had asked, and that no other run has used. */
function findLateAnswer(entries: readonly BusEntry[], key: string): BusEntry | null {
  const isUsed = (answer: BusEntry) =>
    entries.some(
      ({ meta, parents }) => meta.permission_used === key && parents.some((each) => each.msg_id === answer.msg_id),
    );
  for (const [index, question] of entries.entries()) {
    if (question.type !== "QUESTION" || question.meta.permission !== key) continue;
    const later = entries.slice(index + 1);
    const end = later.findIndex(
      ({ type, run_id: id }) => id === question.run_id && (type === "STOP" || type === "CRASH"),
    );
    const answer = later.findIndex((entry) => isAnswerTo(entry, question) && entry.parents.length > 0);
    const found = later[answer];
    if (end !== -1 && answer > end && found !== undefined && !isUsed(found)) return found;
  }
  return null;
}

const describeUse = (answer: BusEntry, key: string) => ({
  type: "INFO",
  body: "The agent asks again what was answered after its last run had ended: that answer is used.",
  parents: [answer.msg_id],
  meta: { permission_used: key },
});
