// Gathers what the model of a conversation is shown, and what the gate has to know of it: the newest messages, what the user was
// looking at, and the run they ask about, all as the user sees it now. What they may not see any more is not there.

import type { Tx } from "../../db/database.ts";
import type { Chat, ChatFacts } from "../../domain/chat/chat.ts";
import { answersSoFar, shownHistory } from "../../domain/chat/history.ts";
import { tellChecks } from "../../domain/run/checks/describe-check.ts";
import { tellTime } from "../../domain/time-zone.ts";
import type { ChatRunView, ChatView } from "../../prompts/chat-prompt.ts";
import { chatFacts, findTimeZone, readMessages } from "../../store/chat/chat-store.ts";
import { findEntity } from "../../store/entity/entity-store.ts";
import { findForeignWords, locateNode } from "../../store/entity/node-store.ts";
import { findProject } from "../../store/entity/project-store.ts";
import { findRunView, type RunView } from "../../store/run-view/run-view-store.ts";

/** Far more than there is room for in a prompt, far less than a long conversation has. */
const messagesRead = 200;

export type Gathered = {
  readonly view: ChatView;
  /** Answers of a model to the user's last message. */
  readonly soFar: number;
  readonly timeZone: string;
  readonly facts: ChatFacts;
};

/** `seq` is the answer that is to be written; `timeZone` the one to fall back to. */
export async function gatherView(tx: Tx, chat: Chat, seq: number, timeZone: string): Promise<Gathered> {
  const messages = await readMessages(tx, chat.id, seq, messagesRead);
  const before = Math.max(0, (messages[0]?.seq ?? 1) - 1);
  const run = chat.runId === null ? null : await findRunView(tx, chat.runId);
  const context = await findContext(tx, chat);
  const facts = await chatFacts(tx, chat.id);
  const zone = run?.run.timeZone ?? (await findTimeZone(tx)) ?? timeZone;
  // The same for every answer of an exchange, so that what was sent before stays cached.
  const asked = messages.findLast(({ role }) => role === "user")?.createdAt ?? chat.updatedAt;
  return {
    soFar: answersSoFar(messages),
    timeZone: zone,
    // Runs read what strangers wrote, and it is shown before any tool was called.
    facts: { ...facts, hasReadUntrusted: facts.hasReadUntrusted || context.isForeign || run !== null },
    view: {
      now: tellTime(instantOf(asked), zone),
      context: context.shown,
      run: run && runFacts(run),
      history: shownHistory(messages, before),
    },
  };
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given timestamp, not the clock
const instantOf = (timestamp: string): number => Date.parse(timestamp);

type Context = { readonly shown: ChatView["context"]; readonly isForeign: boolean };

/** The title is in its author's words, and the author may be another member of the project. */
async function findContext(tx: Tx, { entityId }: Chat): Promise<Context> {
  if (entityId === null) return { shown: null, isForeign: false };
  const node = await locateNode(tx, entityId);
  const entity = node && (await findEntity(tx, node.kind, node.projectId, entityId));
  const project = node === null ? await findProject(tx, entityId) : null;
  const shown = entity
    ? { kind: entity.kind, id: entityId, title: entity.title }
    : project && { kind: "project", id: entityId, title: project.name };
  const projectId = entity?.projectId ?? project?.id;
  const foreign = projectId === undefined ? [] : await findForeignWords(tx, [projectId], [entityId]);
  return { shown, isForeign: foreign.length > 0 };
}

function runFacts({ run, report }: RunView): ChatRunView {
  return {
    id: run.id,
    objective: run.objective,
    status: run.state.status,
    why: "detail" in run.state ? run.state.detail : (report?.stopping_reason.detail ?? ""),
    summary: report?.summary ?? "",
    created: report?.what_changed.created ?? [],
    updated: report?.what_changed.updated ?? [],
    checks: tellChecks(run.checks, run.lastProofs).map(({ about, isGreen, seen }) => ({
      about,
      isGreen,
      seen: seen ?? "",
    })),
    steps: run.plan.steps.map(({ title, status }) => ({ title, status })),
  };
}
