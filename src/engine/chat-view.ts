// Gathers what the model of a conversation is shown: the newest messages, what the user was looking at, and the run they ask
// about, all as the user sees it now. What they may not see any more is not there.

import type { Tx } from "../db/database.ts";
import type { Chat, ChatMessage } from "../domain/chat/chat.ts";
import { shownHistory } from "../domain/chat/history.ts";
import { describeCheck } from "../domain/run/describe-check.ts";
import type { Instant } from "../lib/env.ts";
import type { ChatRunView, ChatView } from "../prompts/chat-prompt.ts";
import { readMessages } from "../store/chat-store.ts";
import { findEntity } from "../store/entity-store.ts";
import { findForeignWords, locateNode } from "../store/node-store.ts";
import { findProject } from "../store/project-store.ts";
import { findRunView, type RunView } from "../store/run-view-store.ts";

/** Far more than there is room for in a prompt, far less than a long conversation has. */
const messagesRead = 200;

export type Gathered = {
  readonly view: ChatView;
  readonly messages: readonly ChatMessage[];
  /** Whether it shows words of strangers before any tool was called. Runs read what strangers wrote. */
  readonly isUntrusted: boolean;
};

/** `seq` is the answer that is to be written. */
export async function gatherView(tx: Tx, chat: Chat, seq: number, now: Instant): Promise<Gathered> {
  const messages = await readMessages(tx, chat.id, seq, messagesRead);
  const before = Math.max(0, (messages[0]?.seq ?? 1) - 1);
  const run = chat.runId === null ? null : await findRunView(tx, chat.runId);
  const context = await findContext(tx, chat);
  return {
    messages,
    isUntrusted: context.isForeign || run !== null,
    view: {
      today: dayOf(now),
      context: context.shown,
      run: run && runFacts(run),
      history: shownHistory(messages, before),
    },
  };
}

/** As ISO writes it. */
const dayOf = (now: Instant) => new Intl.DateTimeFormat("sv-SE", { timeZone: "UTC" }).format(now);

type Context = { readonly shown: ChatView["context"]; readonly isForeign: boolean };

/** In the words of whoever wrote it: that may be another member of the project. */
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
  const proofs = new Map(run.lastProofs.map((proof) => [proof.checkId, proof]));
  return {
    id: run.id,
    objective: run.objective,
    status: run.state.status,
    why: "detail" in run.state ? run.state.detail : (report?.stopping_reason.detail ?? ""),
    summary: report?.summary ?? "",
    created: report?.what_changed.created ?? [],
    updated: report?.what_changed.updated ?? [],
    checks: run.checks.map((check) => {
      const proof = proofs.get(check.id);
      return { about: describeCheck(check), isGreen: proof?.isGreen ?? null, seen: proof?.seen ?? "" };
    }),
    steps: run.plan.steps.map(({ title, status }) => ({ title, status })),
  };
}
