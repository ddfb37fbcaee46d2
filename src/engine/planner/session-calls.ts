// What comes of the session's own tools. Each call is an entry of the journal that holds what it led to, so another attempt says
// and promises the same. What cannot be taken as it is comes back in words at once, while the model can still mend it.

import {
  askArgs,
  delegateArgs,
  type EndedSession,
  endArgs,
  planArgs,
  proposalArgs,
} from "../../domain/planner/answer.ts";
import { together, toProposal } from "../../domain/planner/proposal.ts";
import { adopt, hasReasonToAsk, mayLowerChecks, planCheck, touchesUsers } from "../../domain/run/checks/adopt.ts";
import { describeCheck } from "../../domain/run/checks/describe-check.ts";
import { applyProposal, judgeProposal } from "../../domain/run/checks/judge-proposal.ts";
import type { Proposal } from "../../domain/run/iteration-result.ts";
import { unreachable } from "../../lib/assert.ts";
import { plannerLane } from "../../runs/ports/run-store.ts";
import { readReasons } from "../../store/run-view/message-store.ts";
import { headOf } from "../tools/call-tool.ts";
import { tellRedChecks, toldOfChecks } from "./check-before-end.ts";
import type { Iteration } from "./iteration.ts";
import { answeredStep, keepAnswer } from "./keep-answer.ts";
import { runExecutors } from "./run-executors.ts";
import { changePlan, noteDone, settleDone } from "./session-plan.ts";
import type { SessionState } from "./session-state.ts";
import { parseSessionArgs, type SessionToolName } from "./session-tools.ts";

export type SessionCall = {
  readonly tool: SessionToolName;
  readonly args: unknown;
  readonly key: string;
  /** Another call of the same answer failed. */
  readonly hasFailed: boolean;
};

export type SessionReply = { readonly text: string; readonly isError: boolean; readonly isEnd: boolean };

/** What a call leads to, beside the words for the model. */
type Outcome<T> = { readonly text: string; readonly isError: boolean; readonly value: T | null };

const wrong = (text: string): Outcome<never> => ({ text, isError: true, value: null });
const right = <T>(text: string, value: T): Outcome<T> => ({ text, isError: false, value });

export async function answerSessionCall(
  it: Iteration,
  session: SessionState,
  call: SessionCall,
): Promise<SessionReply> {
  const { tool } = call;
  const parsed = parseSessionArgs(tool, call.args);
  if (!parsed.ok) return reply(await keep(it, call, "Wrong arguments", async () => wrong(parsed.text)));
  switch (tool) {
    case "update_plan": {
      const { steps } = planArgs.parse(parsed.args);
      const said = await keep(it, call, "Updated the plan", () => changePlan(it, session, steps));
      if (said.value !== null) noteDone(session, said.value, steps);
      return reply(said);
    }
    case "propose_checks": {
      const { drop, ...rest } = proposalArgs.parse(parsed.args);
      const proposal = toProposal({ ...rest, drops: drop });
      const said = await keep(it, call, "Named what will be delivered", () => propose(it, session, proposal));
      if (said.value !== null) session.proposed = said.value;
      return reply(said);
    }
    case "ask_user": {
      const { questions } = askArgs.parse(parsed.args);
      session.questions.push(...questions);
      const text =
        "The user will be asked when the iteration ends. Go on with what does not depend on it, then end the iteration.";
      return reply(await keep(it, call, "Has a question for you", async () => right(text, null)));
    }
    case "delegate":
      return delegate(it, session, call, delegateArgs.parse(parsed.args).tasks);
    case "end_iteration":
      return endSession(it, session, call, endArgs.parse(parsed.args));
    default:
      return unreachable(tool);
  }
}

const reply = ({ text, isError }: Outcome<unknown>): SessionReply => ({ text, isError, isEnd: false });

const notYet = "Was told what is still missing";

function keep<T>(it: Iteration, call: SessionCall, did: string, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const head = headOf(plannerLane, call.key, call.tool, call.args);
  return it.journal.once(head, async () => {
    const result = await work();
    if (!result.isError) return { result, summary: did, error: null, artifacts: [] };
    // Being told what is missing is part of the work, and no failure.
    if (call.tool === "end_iteration") return { result, summary: notYet, error: null, artifacts: [] };
    return { result, summary: `${did}: refused`, error: result.text.slice(0, 2_000), artifacts: [] };
  });
}

async function propose(it: Iteration, session: SessionState, proposal: Proposal | null): Promise<Outcome<Proposal>> {
  if (proposal === null) return wrong("Nothing is proposed: name at least one deliverable and a check for it.");
  const { proposed } = session;
  // What this session has proposed itself may be corrected; what was promised before, only after the user's words.
  const whole = proposed === null ? proposal : together(proposed, proposal);
  const heard = it.heard + session.heard.length;
  const judged = judgeProposal(it.run, whole, mayLowerChecks(it.run, heard));
  if (!judged.ok)
    return wrong(["Nothing of this was taken:", ...judged.problems.map((problem) => `- ${problem}`)].join("\n"));
  if (touchesUsers(it.run, judged.proposal) && !(await hasReason(it, session)))
    return wrong("Nothing of this was taken: the user has just been asked, and keeps their criteria.");
  const { run: after, asked } = adopt(it.run, { proposed: judged.proposal, heard });
  // Plan and reviewer are measured in every run; the rules say so.
  const shown = after.checks.filter(({ id, givenBy }) => id !== planCheck.id && givenBy !== "platform");
  const lines = shown.map((check) => `- [${check.id}] ${describeCheck(check)}`);
  const judge = it.run.isJudged ? ["Besides, a judge reads each deliverable before the run ends."] : [];
  const checks = [asked.length > 0 ? "The checks now:" : "Taken. The checks now:", ...lines, ...judge];
  return right([...checks, ...pending(asked)].join("\n"), judged.proposal);
}

/** What of a proposal only the user can decide. */
const pending = (asked: readonly string[]): readonly string[] =>
  asked.length === 0
    ? []
    : [
        "Not taken yet: the user decides about this when the iteration ends.",
        ...asked.map((change) => `- ${change}`),
        "Go on with what does not depend on it, then end the iteration. If the user says no, the checks above stay.",
      ];

/** Whether the user has said anything to this iteration or the one before it since they last said no to a change. */
async function hasReason({ db, run }: Iteration, session: SessionState): Promise<boolean> {
  if (session.heard.length > 0) return true;
  const { iteration } = run.state;
  const lately = await db.asUser({ userId: run.userId }, (tx) => readReasons(tx, run.id, iteration - 1, iteration));
  return hasReasonToAsk(lately);
}

async function delegate(
  it: Iteration,
  session: SessionState,
  call: SessionCall,
  tasks: Parameters<typeof runExecutors>[2],
): Promise<SessionReply> {
  if (it.phase === "plan_only")
    return reply(
      await keep(it, call, "Sent out executors", async () => wrong("Not before the user has approved the plan.")),
    );
  const executed = await runExecutors(it, session, tasks);
  const text = executed.map(({ text: each }) => each).join("\n\n");
  const titles = tasks.map(({ title }) => title).join(", ");
  const isError = executed.every(({ ok }) => !ok);
  return reply(await keep(it, call, `Handed out: ${titles}`, async () => ({ text, isError, value: null })));
}

async function endSession(
  it: Iteration,
  session: SessionState,
  call: SessionCall,
  ended: EndedSession,
): Promise<SessionReply> {
  settleDone(it, session);
  const isAnswer = ended.answer.trim() !== "";
  const inTheWay = findProblems(it, isAnswer ? supposeAnswered(session) : session, ended, call.hasFailed);
  // Written once the session may end: a model whose end is refused sends its answer again.
  const answer = isAnswer && inTheWay.length === 0 ? await keepAnswer(it, call.key, ended.answer) : null;
  if (answer !== null) {
    session.answer = { id: answer.artifact.id, title: answer.title };
    session.made.push(answer.artifact);
    if (it.run.deliverables.length === 0 && session.proposed === null) session.proposed = answer.proposal;
    session.plan = answer.planAfter(session.plan);
  }
  const problems = inTheWay.length > 0 ? inTheWay : findProblems(it, session, ended, call.hasFailed);
  const said = await keep(it, call, ended.exit_signal ? "Says the work is done" : "Ended the iteration", async () => {
    // An answer that was just written would be written again.
    const red = ended.exit_signal && !isAnswer ? await tellRedChecks(it, session) : null;
    const all = red === null ? problems : [...problems, red];
    return all.length === 0
      ? right("The iteration has ended.", ended)
      : wrong(["The iteration has not ended:", ...all.map((problem) => `- ${problem}`)].join("\n"));
  });
  session.isToldOfChecks ||= toldOfChecks(said.text);
  session.refusedEnd = said.value === null ? ended : null;
  if (said.value !== null) {
    session.ended = said.value;
    const { needs_user_input: isNeeded, blocking_questions: blocking } = said.value;
    if (isNeeded) session.questions.push(...blocking.map((text) => ({ text, options: [] })));
  }
  return { ...reply(said), isEnd: said.value !== null };
}

/** The session with the answer kept: answering is a plan that is done, and the answer can be measured. */
function supposeAnswered(session: SessionState): SessionState {
  const deliverables = [{ id: "answer", title: "The answer" }];
  return {
    ...session,
    plan: session.plan.steps.length === 0 ? { steps: [answeredStep(0, [])] } : session.plan,
    proposed: session.proposed ?? { deliverables, checks: [], drops: [], why: "" },
  };
}

/** What contradicts itself, or cannot lead to an end, is said while it can be mended. */
function findProblems(
  it: Iteration,
  session: SessionState,
  ended: EndedSession,
  hasFailed: boolean,
): readonly string[] {
  const after = session.proposed === null ? it.run : applyProposal(it.run, session.proposed);
  const isMeasured = after.deliverables.length > 0 || after.checks.some(({ givenBy }) => givenBy === "user");
  if (it.phase === "plan_only") return findPlanProblems(session, ended, isMeasured);
  if (!ended.exit_signal) return [];
  const open = session.plan.steps.filter(
    ({ status, isOptional }) => !isOptional && status !== "done" && status !== "dropped",
  );
  const openIds = open.map(({ id }) => id).join(", ");
  return problemsOf([
    [
      ended.remaining_work.length > 0,
      "exit_signal is true, but remaining_work lists something. Do it now, or set exit_signal false.",
    ],
    [
      session.questions.length > 0 || ended.needs_user_input || ended.blocking_questions.length > 0,
      "exit_signal is true, but you have asked the user something. Set it false until the answer is there.",
    ],
    [
      session.hasNews,
      "The user said something while your executors worked. Read it first: it comes with your next answer.",
    ],
    [hasFailed, "Another call of this answer failed. Look at its result before you say the work is done."],
    [!isMeasured, "Name what you deliver, and how it can be checked, with propose_checks first."],
    [session.plan.steps.length === 0, "There is no plan: write the steps you did with update_plan."],
    [open.length > 0, `Steps of the plan are open: ${openIds}. Update the plan, or set exit_signal false.`],
  ]);
}

const findPlanProblems = (session: SessionState, ended: EndedSession, isMeasured: boolean): readonly string[] =>
  problemsOf([
    [session.plan.steps.length === 0, "There is no plan to approve yet: call update_plan."],
    [!isMeasured, "There are no checks to approve yet: call propose_checks."],
    [ended.exit_signal, "Nothing is done yet: the user approves the plan first. Set exit_signal false."],
  ]);

const problemsOf = (found: readonly (readonly [boolean, string])[]): readonly string[] =>
  found.filter(([isSo]) => isSo).map(([, words]) => words);
