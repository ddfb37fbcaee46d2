// Cases of peers about finishing: what counts as done, what as evidence, and what a judge may say.

import { defaultBudget } from "../../src/domain/run/budget/budget.ts";
import type { Check } from "../../src/domain/run/checks/check.ts";
import { readJudgeAnswer } from "../../src/domain/run/checks/judge-answer.ts";
import { resume } from "../../src/domain/run/commands.ts";
import type { WorkedIteration } from "../../src/domain/run/iteration-result.ts";
import { take } from "../../src/domain/run/take.ts";
import { failure, idle, makeCheck, makeClaim, makeProof, makeQuestion } from "../helpers/make-run.ts";
import {
  block,
  decisions,
  done,
  lastDecision,
  type Played,
  playRun,
  type Row,
  readingOnly,
  runIn,
  saying,
  stopped,
  times,
} from "./play.ts";

const green = [makeProof()];
const claim = makeClaim();
const praising = saying("All tasks are done. The implementation is complete.", { proofs: green });
const notDone = saying(block("exit_signal: false", "completion_evidence: [plan_completed, tests_pass]"), {
  proofs: green,
});

const exitCounters: readonly Row[] = [
  {
    id: "exit-counters-001",
    what: "nothing counted yet",
    play: () => lastDecision([{}]),
    ours: "continue: as_planned",
  },
  {
    id: "exit-counters",
    what: "three iterations of tests only",
    play: () => decisions(times(5, readingOnly)).slice(2),
    ours: ["continue: recover", "stop: no_progress"],
    why: "the peer takes it for done; nothing changed, so it is stuck",
  },
  {
    id: "exit-counters-003",
    what: "two iterations of tests only",
    play: () => lastDecision(times(2, readingOnly)),
    ours: "continue: as_planned",
  },
  {
    id: "exit-counters",
    what: "said to be done twice in prose",
    play: () => decisions(times(2, praising)),
    ours: ["continue: confirm_done", "complete"],
    why: "the peer exits on its words; ours on green checks, after it was asked and named nothing missing",
  },
  {
    id: "exit-counters-005",
    what: "said to be done once in prose",
    play: () => lastDecision([praising]),
    ours: "continue: confirm_done",
  },
  {
    id: "exit-counters",
    what: "two signs, and a claim",
    play: () => lastDecision([notDone, done]),
    ours: "complete",
  },
  {
    id: "exit-counters-007",
    what: "one sign, no claim",
    play: () => lastDecision([{ claim: makeClaim({ exitSignal: false, completionEvidence: ["tests_pass"] }) }]),
    ours: "continue: as_planned",
  },
  {
    id: "exit-counters",
    what: "one sign, and a claim",
    play: () => lastDecision([done]),
    ours: "complete",
    why: "the peer wants a second sign; our checks are green, which is more than signs",
  },
  {
    id: "exit-counters-009",
    what: "three signs, and it says not done",
    play: () => lastDecision(times(3, notDone)),
    ours: "continue: as_planned",
  },
  {
    id: "exit-counters-011",
    what: "two signs, and a block that cannot be read",
    play: () => lastDecision([notDone, saying('{"BUILDOS_HOMEWORK_STATUS": {"exit_signal": tr', { proofs: green })]),
    ours: "continue: confirm_done",
  },
  {
    id: "exit-counters",
    what: "two signs, and no block",
    play: () => lastDecision([notDone, saying("", { proofs: green })]),
    ours: "continue: confirm_done",
  },
  {
    id: "exit-counters-013",
    what: "two signs, and an empty block",
    play: () => lastDecision([notDone, saying('{"BUILDOS_HOMEWORK_STATUS": {}}', { proofs: green })]),
    ours: "continue: confirm_done",
  },
  {
    id: "exit-counters-015",
    what: "said to be done in prose, and its block says not done",
    play: () => lastDecision([praising, notDone]),
    ours: "continue: as_planned",
    why: "the peer exits: its counter overrides an explicit no",
  },
  {
    id: "exit-counters",
    what: "iterations of tests only, and its block says not done",
    play: () => lastDecision(times(4, { ...notDone, progress: idle })),
    ours: "continue: recover",
    why: "the peer exits as done, over an explicit no",
  },
  {
    id: "exit-counters-017",
    what: "five signs, and it says not done",
    play: () => lastDecision(times(5, notDone)),
    ours: "continue: as_planned",
  },
  {
    id: "exit-counters",
    what: "five claims whose check stays red",
    play: () => decisions(times(5, { claim })),
    ours: ["continue: mend_what_failed", "continue: mend_what_failed", "continue: recover", "stop: claim_rejected"],
    why: "the peer ends such a run as complete after five",
  },
  {
    id: "exit-counters",
    what: "claims that no check can ever bear out",
    play: () => decisions(times(5, { claim, proofs: [] }), { checks: [] }),
    ours: ["continue: mend_what_failed", "continue: mend_what_failed", "continue: recover", "stop: claim_rejected"],
  },
  {
    id: "edge-007",
    what: "ten iterations of tests only",
    play: () => decisions(times(10, readingOnly)).length,
    ours: 4,
    why: "the peer keeps a window of the last five; ours counts in a row and has stopped the run by then",
  },
];

const quality = "tests lint typecheck audit coverage complexity duplication performance".split(" ");
const commands = (names: readonly string[]): readonly Check[] =>
  names.map((name) => makeCheck({ id: name, target: { kind: "command_succeeds", program: name, args: [] } }));
const words = (...lines: readonly string[]): Played => ({
  claim: makeClaim({ completionEvidence: lines }),
  proofs: [],
});
const passes = quality.map((name) => `${name}: pass`);
const proofs = (...red: readonly string[]): Played => ({
  claim,
  proofs: quality.map((checkId) => makeProof({ checkId, isGreen: !red.includes(checkId) })),
});
const asProofs = (result: Played) => lastDecision([result], { checks: commands(quality) });
const noWords = "the peer believes these lines; a sentence of the model is never evidence, only a check that we ran";

const evidence: readonly Row[] = [
  {
    id: "evidence-text-001",
    what: "eight passes in words",
    play: () => lastDecision([words(...passes)]),
    ours: "continue: mend_what_failed",
    why: noWords,
  },
  { id: "evidence-text-001", what: "eight checks that we ran", play: () => asProofs(proofs()), ours: "complete" },
  {
    id: "evidence-text-003",
    what: "a sentence of success",
    play: () => lastDecision([words("Task completed successfully")]),
    ours: "continue: mend_what_failed",
  },
  {
    id: "evidence-text",
    what: "a pass and a compliment",
    play: () => lastDecision([words("tests: pass", "LGTM")]),
    ours: "continue: mend_what_failed",
  },
  {
    id: "evidence-text-005",
    what: "one of them a regression, in words",
    play: () => lastDecision([words(...passes, "performance: regression")]),
    ours: "continue: mend_what_failed",
  },
  {
    id: "evidence-text-005",
    what: "one of the checks red",
    play: () => asProofs(proofs("performance")),
    ours: "continue: mend_what_failed",
  },
  {
    id: "evidence-text-007",
    what: "eight passes in words, none about specifications",
    play: () => lastDecision([words(...passes)]),
    ours: "continue: mend_what_failed",
    why: noWords,
  },
  {
    id: "evidence-text-007",
    what: "no check asks for specifications",
    play: () => asProofs(proofs()),
    ours: "complete",
  },
  {
    id: "evidence-text-009",
    what: "figures that are too low, in words",
    play: () => lastDecision([words("coverage: 60%", "mutation: 50%", "complexity: 12")]),
    ours: "continue: mend_what_failed",
  },
  {
    id: "evidence-text-009",
    what: "checks of these figures are red",
    play: () => asProofs(proofs("coverage", "complexity")),
    ours: "continue: mend_what_failed",
  },
];

const judge = makeCheck({ id: "judge", target: { kind: "judge", rubric: "Is it good?" } });
const page = "Queues keep every job until a worker has acknowledged it.";
const quotes = ["keep every job until a worker"];
const judged = (answer: string): Partial<WorkedIteration> => {
  const { isGreen, seen } = readJudgeAnswer(answer, [page]);
  return { claim, proofs: [makeProof(), makeProof({ checkId: "judge", isGreen, seen })] };
};
const yes = JSON.stringify({ score: 0.9, complete: true, quotes });
const no = JSON.stringify({ score: 0.3, complete: false, missing: ["sources"] });
const withJudge = { checks: [makeCheck(), judge] };
const capOf = (maxIterations: number) => ({ ...withJudge, budget: { ...defaultBudget, maxIterations } });
const isGreen = (answer: string) => readJudgeAnswer(answer, [page]).isGreen;

const judges: readonly Row[] = [
  { id: "judge-001", what: "the judge says yes", play: () => lastDecision([judged(yes)], withJudge), ours: "complete" },
  {
    id: "judge-001",
    what: "the judge says yes, and nothing else was looked at",
    play: () => lastDecision([judged(yes)], { checks: [judge] }),
    ours: "continue: mend_what_failed",
    why: "the peer finishes; a judge is the weakest check and never alone",
  },
  {
    id: "judge",
    what: "the judge says no",
    play: () => lastDecision([judged(no)], withJudge),
    ours: "continue: mend_what_failed",
  },
  {
    id: "judge-003",
    what: "an answer in prose and a fence",
    play: () => isGreen(`I looked.\n\`\`\`json\n${yes}\n\`\`\``),
    ours: true,
  },
  { id: "judge", what: "no answer", play: () => isGreen("I cannot decide."), ours: false },
  {
    id: "judge-005",
    what: "a score above 1",
    play: () => readJudgeAnswer(yes.replace("0.9", "1.5"), [page]).score,
    ours: 1,
  },
  {
    id: "judge-007",
    what: "no, no, and two iterations allowed",
    play: () => decisions([judged(no), judged(no), judged(yes)], capOf(2)),
    ours: ["continue: mend_what_failed", "stop: max_iterations"],
  },
  {
    id: "judge",
    what: "no, then yes",
    play: () => decisions([judged(no), judged(yes)], capOf(5)),
    ours: ["continue: mend_what_failed", "complete"],
  },
  {
    id: "judge-009",
    what: "a cap of 0 cannot be resumed with",
    play: () => resume(runIn(stopped), { maxIterations: 0 }).isDone,
    ours: false,
  },
  {
    id: "judge-011",
    what: "the iteration ended in an error",
    play: () => lastDecision([{ error: failure("e"), proofs: [] }], withJudge),
    ours: "continue: as_planned",
    why: "the peer interrupts its goal; one error is no end, five of the same are",
  },
  {
    id: "judge",
    what: "an iteration that was stuck",
    play: () => lastDecision([readingOnly], withJudge),
    ours: "continue: as_planned",
  },
  {
    id: "judge-013",
    what: "the user writes something",
    play: () => lastDecision([judged(yes)], { ...withJudge, unreadMessages: 1 }),
    ours: "continue: replan",
    why: "the peer stops its loop; a message is steering, which the next iteration takes up",
  },
  {
    id: "judge-015",
    what: "at its cap it stops, and is not judged again",
    play: () => {
      const { run, decisions: all } = playRun(times(3, judged(no)), capOf(1));
      return [all, take(run, 2, 1).kind];
    },
    ours: [["stop: max_iterations"], "stale"],
  },
  {
    id: "judge",
    what: "resumed with a larger cap",
    play: () => resume(runIn(stopped, { budget: { ...defaultBudget, maxIterations: 4 } }), { maxIterations: 9 }).isDone,
    ours: true,
  },
  {
    id: "judge-017",
    what: "it has to wait for an answer",
    play: () => playRun([{ ...judged(no), questions: [makeQuestion()] }], withJudge).run.state.status,
    ours: "waiting_on_user",
  },
  {
    id: "judge-019",
    what: "no judge, but a check that is green",
    play: () => lastDecision([done]),
    ours: "complete",
    why: "the peer's goal does nothing without its judge; ours has other checks",
  },
];

export const exitRows: readonly Row[] = [...exitCounters, ...evidence, ...judges];
