// Several live streams in one, for a browser tab. Each topic is looked up as its own stream would, when the stream begins and
// with every heartbeat; one that is not there for the user is said to be gone, and the others go on.

import type { Tx } from "../../db/database.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import { lastChangeSeq } from "../../store/change-store.ts";
import { findChat } from "../../store/chat-store.ts";
import { lastFeedSeq } from "../../store/feed-store.ts";
import { roleIn } from "../../store/project-store.ts";
import { lastEventSeq } from "../../store/run-view-store.ts";
import { chatTopic, runTopic, userTopic } from "../../store/topics.ts";
import { type MountDeps, mountStream } from "../mount.ts";
import type { Streams } from "../sse/stream.ts";

type Wanted = { readonly kind: string; readonly id: string; readonly name: string; readonly since: number | undefined };

export function mountLive(deps: MountDeps, streams: Streams): void {
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

/** The number of the last event of each that its user may follow. Here, as everywhere, the rows of others do not exist. */
async function lastOfEach(tx: Tx, wanted: readonly Wanted[], userId: string): Promise<ReadonlyMap<Wanted, number>> {
  const lasts = new Map<Wanted, number>();
  for (const one of wanted) {
    const last = await lastOf(tx, one, userId);
    if (last !== null) lasts.set(one, last);
  }
  return lasts;
}

async function lastOf(tx: Tx, { kind, id }: Wanted, userId: string): Promise<number | null> {
  switch (kind) {
    case "feed":
      return lastFeedSeq(tx, userId);
    case "run":
      return lastEventSeq(tx, id);
    case "chat":
      return lastChatSeq(tx, id);
    case "project": // Any role may look.
      return (await roleIn(tx, id)) === null ? null : lastChangeSeq(tx, id);
    default:
      throw new Error(`bug: no such topic: ${kind}`);
  }
}

export async function lastChatSeq(tx: Tx, chatId: string): Promise<number | null> {
  return (await findChat(tx, chatId))?.lastSeq ?? null;
}

function topicOf({ kind, id }: Wanted, userId: string): string {
  if (kind === "feed") return userTopic(userId);
  if (kind === "run") return runTopic(id);
  return kind === "chat" ? chatTopic(id) : id;
}
