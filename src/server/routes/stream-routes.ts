// The live streams: the changes of a project, the events of a run, an outcome or a conversation, the feed of a user, each alone or
// several in one, for a browser tab. Each is looked up as its user when a stream begins and with every heartbeat; in a stream of
// several, one that is not there for the user is said to be gone, and the others go on.
// A topic is the word that the database notifies with: a project's id as it is, `run:…`, `outcome:…`, `chat:…` or
// `user:…`.

import type { Context } from "hono";
import type { Database, Tx } from "../../db/database.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import { chatEventsAfter, findChat } from "../../store/chat/chat-store.ts";
import { changesAfter, lastChangeSeq } from "../../store/entity/change-store.ts";
import { roleIn } from "../../store/entity/project-store.ts";
import { feedAfter, lastFeedSeq } from "../../store/notification/feed-store.ts";
import { chatTopic, outcomeTopic, runTopic, userTopic } from "../../store/notification/topics.ts";
import { lastOutcomeSeq, outcomeEventsAfter } from "../../store/outcome-view/outcome-list-store.ts";
import { eventsAfter, lastEventSeq } from "../../store/run-view/run-view-store.ts";
import { type MountDeps, mountStream, type StreamingRequest } from "../mount.ts";
import { toWireOutcomeEvent } from "../outcome-wire.ts";
import { toWireEvent } from "../run-wire.ts";
import type { ReadEvents } from "../sse/hub.ts";
import type { Streams } from "../sse/stream.ts";
import type { StreamEvent } from "../sse/topic.ts";
import { missing, toWireChange } from "../wire.ts";

/** As the platform: who may watch a topic was settled when the stream began, and is again with every heartbeat. */
export function readTopics(db: Database): ReadEvents {
  return (topic, after, limit) => db.asSystem((tx) => readTopic(tx, topic, after, limit));
}

async function readTopic(tx: Tx, topic: string, after: number, limit: number): Promise<readonly StreamEvent[]> {
  const [kind, id = ""] = topic.split(":");
  switch (kind) {
    case "run":
      return (await eventsAfter(tx, id, after, limit)).map(toWireEvent).map(named("run_event"));
    case "outcome":
      return (await outcomeEventsAfter(tx, id, after, limit)).map(toWireOutcomeEvent).map(named("outcome_event"));
    case "chat":
      return (await chatEventsAfter(tx, id, after, limit)).map(named("chat_event"));
    case "user":
      return (await feedAfter(tx, id, after, limit)).map(named("feed_event"));
    default:
      return (await changesAfter(tx, topic, after, limit)).map(toWireChange).map(named("change"));
  }
}

const named =
  (name: string) =>
  (data: { readonly seq: number }): StreamEvent => ({ seq: data.seq, name, data });

/** What one follows; a feed is the user's own and has no id. */
type Thing = { readonly kind: string; readonly id: string };

function topicOf({ kind, id }: Thing, userId: string): string {
  if (kind === "feed") return userTopic(userId);
  if (kind === "run") return runTopic(id);
  if (kind === "outcome") return outcomeTopic(id);
  return kind === "chat" ? chatTopic(id) : id;
}

/** The number of its last event; null where the user may not follow it. As everywhere, the rows of others do not exist. */
async function lastOf(tx: Tx, { kind, id }: Thing, userId: string): Promise<number | null> {
  switch (kind) {
    case "feed":
      return lastFeedSeq(tx, userId);
    case "run":
      return lastEventSeq(tx, id);
    case "outcome":
      return lastOutcomeSeq(tx, id);
    case "chat":
      return (await findChat(tx, id))?.lastSeq ?? null;
    case "project": // Any role may look.
      return (await roleIn(tx, id)) === null ? null : lastChangeSeq(tx, id);
    default:
      throw new Error(`bug: no such topic: ${kind}`);
  }
}

export function mountStreams(deps: MountDeps, streams: Streams): void {
  type SingleRequest = StreamingRequest<typeof routes.runs.feed>;
  const follow = async ({ c, actor: { userId }, query, stillAdmitted }: SingleRequest, thing: Thing, what: string) => {
    const findLast = () => deps.db.asUser({ userId }, (tx) => lastOf(tx, thing, userId));
    const last = await findLast();
    if (last === null) throw missing(what);
    return streams.answer({
      userId,
      topic: topicOf(thing, userId),
      after: Math.min(lastEventId(c) ?? query.since_seq ?? last, last),
      stillAdmitted: async () => (await stillAdmitted()) && (await findLast()) !== null,
    });
  };

  mountStream(deps, routes.projects.stream, (request) =>
    follow(request, { kind: "project", id: request.params.projectId }, "project"),
  );
  mountStream(deps, routes.runs.stream, (request) => follow(request, { kind: "run", id: request.params.runId }, "run"));
  mountStream(deps, routes.outcomes.stream, (request) =>
    follow(request, { kind: "outcome", id: request.params.outcomeId }, "outcome"),
  );
  mountStream(deps, routes.chats.stream, (request) =>
    follow(request, { kind: "chat", id: request.params.chatId }, "conversation"),
  );
  mountStream(deps, routes.runs.feed, (request) => follow(request, { kind: "feed", id: "" }, "feed"));
  mountLive(deps, streams);
}

/** What a browser sends when it comes back. */
function lastEventId(c: Context): number | undefined {
  const sent = c.req.header("last-event-id");
  return sent !== undefined && /^\d{1,15}$/.test(sent) ? Number(sent) : undefined;
}

type Wanted = Thing & { readonly name: string; readonly since: number | undefined };

function mountLive(deps: MountDeps, streams: Streams): void {
  const { db } = deps;
  mountStream(deps, routes.live.follow, async ({ actor, query, stillAdmitted }) => {
    const { userId } = actor;
    const wanted = parseTopics(query.topics);
    const lookUp = () => db.asUser({ userId }, (tx) => lastOfEach(tx, wanted, userId));
    const lasts = await lookUp();
    return streams.answerMany({
      userId,
      // After what the client has; it cannot have more than there is. Without a word from it: from now on.
      topics: [...lasts].map(([one, last]) => ({
        name: one.name,
        topic: topicOf(one, userId),
        after: Math.min(one.since ?? last, last),
      })),
      gone: wanted.filter((one) => !lasts.has(one)).map(({ name }) => name),
      stillAdmitted: async () =>
        (await stillAdmitted()) ? new Set([...(await lookUp()).keys()].map(({ name }) => name)) : null,
    });
  });
}

/** `feed@12,run:…@40`, as the contract's pattern has it. */
function parseTopics(text: string): readonly Wanted[] {
  const wanted = text.split(",").map((part): Wanted => {
    const [name = "", since] = part.split("@");
    const [kind = "", id = ""] = name.split(":");
    return { kind, id, name, since: since === undefined ? undefined : Number(since) };
  });
  if (new Set(wanted.map(({ name }) => name)).size < wanted.length)
    throw new AppError("invalid_request", "query.topics: each topic once");
  return wanted;
}

/** Of those that the user may follow. */
async function lastOfEach(tx: Tx, wanted: readonly Wanted[], userId: string): Promise<ReadonlyMap<Wanted, number>> {
  const lasts = new Map<Wanted, number>();
  for (const one of wanted) {
    const last = await lastOf(tx, one, userId);
    if (last !== null) lasts.set(one, last);
  }
  return lasts;
}
