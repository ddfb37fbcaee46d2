// Plays a story as the models of a run: plans, has things looked up, writes, and says so when it is done.

import type { LabReply } from "../lab/lab-protocol.ts";
import { call, inProject, madeBefore } from "./planner-scenario.ts";
import { doneStatus, praise, type RoleRequest, type SlowScript, working } from "./role-script.ts";
import type { Note, Round, Story } from "./sample-stories.ts";

const never = new Promise<never>(() => {});

export const stuck: SlowScript = () => never;

export function playStory(story: Story): SlowScript {
  return async (asked) => {
    const { role, iteration, prompt } = asked;
    if (role === "summary") return story.ending;
    if (role === "judge") return praise(prompt);
    if (role !== "planner") return lookUp(story, asked);
    const round = story.rounds[iteration - 1];
    if (story.stuckAfter !== undefined && isAfter(story.stuckAfter, asked)) await never;
    if (round === undefined)
      return {
        status: { ...doneStatus, progress_summary: "Checked everything against the objective." },
        ...finished(story, prompt),
      };
    return {
      status: isStuckIn(story, iteration) ? null : working(round.summary, round.remaining),
      ...playRound(story, round, asked),
    };
  };
}

/** A story without an end stands still in its last round, after what that round looked up. */
const isStuckIn = ({ stuckAfter, rounds }: Story, iteration: number) =>
  stuckAfter === rounds.length && iteration === stuckAfter && rounds[iteration - 1]?.summary === "";

const isAfter = (round: number, { iteration, turn }: RoleRequest) =>
  iteration > round || (iteration === round && turn > 0);

function playRound(story: Story, round: Round, { iteration, prompt }: RoleRequest) {
  const place = inProject(prompt);
  const { notes = [], tasks = [], page, question } = round;
  return {
    plan: { steps: stepsAt(story, round.step, madeBefore(prompt)) },
    ...(iteration === 1 ? promised(story) : {}),
    ...(notes.length === 0 ? {} : { executor_tasks: notes.map((note) => toTask(note, round.step)) }),
    ...(question === undefined ? {} : { questions: [question] }),
    tool_calls: [
      ...(page === undefined ? [] : [call("create_document", { ...page, ...place })]),
      ...tasks.map((title) => call("create_task", { title, ...place })),
    ],
  };
}

const finished = (story: Story, prompt: string) => ({
  plan: { steps: stepsAt(story, story.steps.length, madeBefore(prompt)) },
});

function stepsAt({ steps }: Story, atWork: number, made: readonly string[]) {
  return steps.map((title, at) => ({
    id: `s${at + 1}`,
    title,
    status: at < atWork ? ("done" as const) : at === atWork ? ("in_progress" as const) : ("pending" as const),
    evidence: at === atWork - 1 ? [...made] : [],
  }));
}

const promised = ({ deliverable, check }: Story) => ({
  deliverables: [{ id: "d1", title: deliverable }],
  checks: [{ id: "c1", deliverable_id: "d1", kind: "document_has" as const, ...check, sources_at_least: 0 }],
});

const toTask = ({ title }: Note, step: number) => ({
  title: `Look up: ${title}`,
  instructions: "Find out what there is, and write it down.",
  step_id: `s${step + 1}`,
});

function lookUp({ rounds }: Story, { prompt, turn }: RoleRequest): LabReply | string {
  const notes = rounds.flatMap((round) => round.notes ?? []);
  const note = notes.find(({ title }) => prompt.includes(`Your task: Look up: ${title}`));
  if (note === undefined || turn > 0) return "Wrote a note about it.";
  return { toolCalls: [{ name: "write_note", args: { title: note.title, content: note.text } }] };
}

/** As large as calls of a real run are, so that its cost reads like one. */
export function withUsage(reply: LabReply, { role, iteration, turn }: RoleRequest): LabReply {
  if ("status" in reply) return reply;
  const input = (role === "planner" ? 9_000 + 2_600 * iteration : 4_200) + 900 * turn;
  return { ...reply, usage: { input, output: role === "planner" ? 820 : 430, cacheRead: Math.round(input / 3) } };
}
