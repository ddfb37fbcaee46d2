// The live streams: the changes of a project, the events of a run or a conversation, the feed of a user, each alone or
// several in one (live-route.ts). A topic is the word that the database notifies with: a project's id as it is, `run:…`,
// `chat:…` or `user:…`.

import type { Context } from "hono";
import type { Database, Tx } from "../../db/database.ts";
import { routes } from "../../protocol/api.ts";
import { changesAfter, lastChangeSeq } from "../../store/change-store.ts";
import { chatEventsAfter } from "../../store/chat-store.ts";
import { feedAfter, lastFeedSeq } from "../../store/feed-store.ts";
import { eventsAfter, lastEventSeq } from "../../store/run-view-store.ts";
import { chatTopic, runTopic, userTopic } from "../../store/topics.ts";
import { type MountDeps, mountStream } from "../mount.ts";
import { toWireEvent } from "../run-wire.ts";
import type { ReadEvents } from "../sse/hub.ts";
import type { Streams } from "../sse/stream.ts";
import type { StreamEvent } from "../sse/topic.ts";
import { foundOrThrow, toWireChange } from "../wire.ts";
import { lastChatSeq, mountLive } from "./live-route.ts";

/** As the platform: who may watch a topic was settled when the stream began, and is again with every heartbeat. */
export function readTopics(db: Database): ReadEvents {
  return (topic, after, limit) => db.asSystem((tx) => readTopic(tx, topic, after, limit));
}

async function readTopic(tx: Tx, topic: string, after: number, limit: number): Promise<readonly StreamEvent[]> {
  const [kind, id] = topic.split(":");
  if (kind === "run" && id !== undefined) {
    const events = await eventsAfter(tx, id, after, limit);
    return events.map((event) => ({ seq: event.seq, name: "run_event", data: toWireEvent(event) }));
  }
  if (kind === "chat" && id !== undefined) {
    const events = await chatEventsAfter(tx, id, after, limit);
    return events.map((event) => ({ seq: event.seq, name: "chat_event", data: event }));
  }
  if (kind === "user" && id !== undefined) {
    const events = await feedAfter(tx, id, after, limit);
    return events.map((event) => ({ seq: event.seq, name: "feed_event", data: event }));
  }
  const changes = await changesAfter(tx, topic, after, limit);
  return changes.map((change) => ({ seq: change.seq, name: "change", data: toWireChange(change) }));
}

export function mountStreams(deps: MountDeps, streams: Streams): void {
  const { db } = deps;
  mountLive(deps, streams);

  mountStream(deps, routes.projects.stream, async ({ c, actor, params, query, stillAdmitted }) => {
    const last = await db.asUser({ userId: actor.userId }, (tx) => lastChangeSeq(tx, params.projectId));
    const after = beginning(c, query.since_seq, last);
    return streams.answer({ userId: actor.userId, topic: params.projectId, after, stillAdmitted });
  });

  mountStream(deps, routes.runs.stream, async ({ c, actor, params, query, stillAdmitted }) => {
    const lastOf = () => db.asUser({ userId: actor.userId }, (tx) => lastEventSeq(tx, params.runId));
    const after = beginning(c, query.since_seq, foundOrThrow(await lastOf(), "run"));
    return streams.answer({
      userId: actor.userId,
      topic: runTopic(params.runId),
      after,
      stillAdmitted: async () => (await stillAdmitted()) && (await lastOf()) !== null,
    });
  });

  mountStream(deps, routes.chats.stream, async ({ c, actor, params, query, stillAdmitted }) => {
    const lastOf = () => db.asUser({ userId: actor.userId }, (tx) => lastChatSeq(tx, params.chatId));
    const after = beginning(c, query.since_seq, foundOrThrow(await lastOf(), "conversation"));
    return streams.answer({
      userId: actor.userId,
      topic: chatTopic(params.chatId),
      after,
      stillAdmitted: async () => (await stillAdmitted()) && (await lastOf()) !== null,
    });
  });

  mountStream(deps, routes.runs.feed, async ({ c, actor, query, stillAdmitted }) => {
    const last = await db.asUser({ userId: actor.userId }, (tx) => lastFeedSeq(tx, actor.userId));
    const after = beginning(c, query.since_seq, last);
    return streams.answer({ userId: actor.userId, topic: userTopic(actor.userId), after, stillAdmitted });
  });
}

/** After what the client has; it cannot have more than there is. Without a word from it: what happens from now on. */
function beginning(c: Context, since: number | undefined, last: number): number {
  return Math.min(lastEventId(c) ?? since ?? last, last);
}

/** What a browser sends when it comes back. */
function lastEventId(c: Context): number | undefined {
  const sent = c.req.header("last-event-id");
  return sent !== undefined && /^\d{1,15}$/.test(sent) ? Number(sent) : undefined;
}
