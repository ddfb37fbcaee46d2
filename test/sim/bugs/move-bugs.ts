// Planted bugs about moves: jobs, events, notifications, slots, iterations, and what people may do.

import { pause, respond, resume } from "../../../src/domain/run/commands.ts";
import { append, leaveSlot } from "../../../src/domain/run/effects.ts";
import type { Run, RunId } from "../../../src/domain/run/run.ts";
import { inLine } from "../memory/memory-run-tx.ts";
import type { PlantedBug } from "../simulate.ts";
import { rightCommands } from "../users.ts";
import { wrongRule, wrongSave, wrongTx } from "./bug.ts";

const withoutEvents = { events: [], attempt: null, ended: null, interrupted: null, proofs: [], messages: [] } as const;

const jobBugs: readonly PlantedBug[] = [
  wrongTx("the next job is enqueued in a transaction of its own", (_tx, _database, later) => ({
    enqueue: async (...args) => later((tx) => tx.enqueue(...args)),
  })),
  wrongTx("admission forgets the job", (tx) => ({
    enqueue: async (run, ...rest) => (run.state.status === "queued" ? undefined : tx.enqueue(run, ...rest)),
  })),
  wrongTx("a hold loses its job", (tx) => ({
    enqueue: async (run, iteration, notBeforeMs) =>
      notBeforeMs === null ? tx.enqueue(run, iteration, notBeforeMs) : undefined,
  })),
  wrongTx("the job of the wrong iteration is enqueued", (tx) => ({
    enqueue: (run, iteration, notBeforeMs) => tx.enqueue(run, iteration + (iteration > 1 ? 1 : 0), notBeforeMs),
  })),
  wrongTx("a job is not dropped with its run", () => ({ dropJob: async () => {} })),
  wrongTx("the job of the wrong iteration is dropped", (tx) => ({
    dropJob: (runId, iteration) => tx.dropJob(runId, iteration + 1),
  })),
  wrongRule("events are numbered outside the lock", (_right, { runs }) => ({
    firstSeq: ({ run }) => (runs.get(run.id)?.lastSeq ?? 0) + 1,
  })),
];

const toldBugs: readonly PlantedBug[] = [
  wrongTx("the notification is written in a transaction of its own", (tx, _database, later) => ({
    save: async (saved) => {
      await tx.save({ ...saved, notification: null });
      if (saved.notification !== null)
        later((own) => own.save({ ...saved, ...withoutEvents, before: saved.run, lease: "keep" }));
    },
  })),
  wrongTx("the user is told twice", (tx) => ({
    save: async (saved) => {
      await tx.save(saved);
      if (saved.notification) await tx.save({ ...saved, ...withoutEvents, before: saved.run, lease: "keep" });
    },
  })),
  wrongTx("what the user acted on stays unread", () => ({ readNotification: async () => {} })),
  wrongSave("nobody is told of a question", (saved) =>
    saved.notification?.event === "waiting_on_user" ? { ...saved, notification: null } : saved,
  ),
  wrongSave("admission leaves no event", (saved) => ({
    ...saved,
    events: saved.events.filter(({ type }) => type !== "run_admitted"),
  })),
  wrongSave("the report is forgotten", (saved) => ({ ...saved, report: null })),
  wrongSave("an iteration is not ended", (saved) => ({ ...saved, ended: null })),
];

const takesSlot = ({ state }: Run): boolean =>
  state.status === "running" || (state.status === "queued" && state.hasSlot);

const slotBugs: readonly PlantedBug[] = [
  wrongTx("slots are counted before the lock", (tx, { runs }) => {
    let known: readonly Run[] = [];
    const mine = new Map<RunId, Run>();
    return {
      lockUser: (userId) => {
        known = [...runs.values()].map(({ run }) => run);
        return tx.lockUser(userId);
      },
      save: (saved) => {
        mine.set(saved.run.id, saved.run);
        return tx.save(saved);
      },
      countSlots: async (userId) =>
        [...new Map([...known.map((run) => [run.id, run] as const), ...mine]).values()].filter(
          (run) => run.userId === userId && takesSlot(run),
        ).length,
    };
  }),
  wrongTx("only running runs count as taking a slot", (_tx, { runs }) => ({
    countSlots: async (userId) =>
      [...runs.values()].filter(({ run }) => run.userId === userId && run.state.status === "running").length,
  })),
  wrongTx("the last in line goes first", (_tx, { runs }) => ({
    nextInLine: async (userId) =>
      inLine([...runs.values()].filter(({ run }) => run.userId === userId)).at(-1)?.run.id ?? null,
  })),
  wrongTx("a free slot is not given on", (tx, { runs }) => ({
    nextInLine: async (userId) =>
      [...runs.values()].some(({ run }) => run.userId === userId && run.state.status === "canceled")
        ? null
        : tx.nextInLine(userId),
  })),
];

const commandBug = (name: string, commands: PlantedBug["commands"]): PlantedBug => ({ name, commands: commands ?? {} });

const sameFence =
  <T extends (run: Run) => ReturnType<typeof pause>>(command: T) =>
  (run: Run) => {
    const answer = command(run);
    if (!answer.isDone) return answer;
    return { ...answer, move: { ...answer.move, run: { ...answer.move.run, fence: run.fence } } };
  };

const commandBugs: readonly PlantedBug[] = [
  commandBug("canceling does not raise the fence", { cancel: sameFence(rightCommands.cancel) }),
  commandBug("pausing does not raise the fence", { pause: sameFence(pause) }),
  commandBug("a run can be canceled after its end", {
    cancel: (run) => {
      const { iteration } = run.state;
      const canceled: Run = { ...run, fence: run.fence + 1, state: { status: "canceled", iteration } };
      const effects = [append({ type: "run_canceled", iteration }), ...leaveSlot(null)];
      return { isDone: true, move: { run: canceled, effects: [{ kind: "drop_jobs" }, ...effects] } };
    },
  }),
  commandBug("a second answer is taken", {
    respond: (run, answers) => {
      if (run.state.status !== "queued") return respond(run, answers);
      const { iteration } = run.state;
      const unreadMessages = run.unreadMessages + answers.length;
      const messages = answers.map((answer) => ({ kind: "answer" as const, question: "", ...answer }));
      const event = append({ type: "run_answered", iteration, answers: [] });
      return {
        isDone: true,
        move: { run: { ...run, unreadMessages }, effects: [{ kind: "keep_messages", messages }, event] },
      };
    },
  }),
  commandBug("resuming keeps the streaks", {
    resume: (run, raised) => {
      const answer = resume(run, raised);
      if (!answer.isDone) return answer;
      return { ...answer, move: { ...answer.move, run: { ...answer.move.run, streaks: run.streaks } } };
    },
  }),
  commandBug("resuming a paused run skips an iteration", {
    resume: (run, raised) =>
      run.state.status === "stopped" && run.state.reason === "paused"
        ? resume({ ...run, state: { ...run.state, reason: "no_progress" } }, raised)
        : resume(run, raised),
  }),
  commandBug("a message is not counted", {
    steer: (run, message) => {
      const answer = rightCommands.steer(run, message);
      if (!answer.isDone) return answer;
      return { ...answer, move: { ...answer.move, run: { ...answer.move.run, unreadMessages: run.unreadMessages } } };
    },
  }),
  commandBug("a fork begins with what the old run spent", {
    fork: (old, id, at, changes) => ({ ...rightCommands.fork(old, id, at, changes), spent: old.spent }),
  }),
];

export const moveBugs: readonly PlantedBug[] = [...jobBugs, ...toldBugs, ...slotBugs, ...commandBugs];
