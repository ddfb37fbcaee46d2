// Messages of a bus as threads: a message that answers another one stands below it. Pure.

import type { BusMessage } from "../../../../../src/protocol/api.ts";

export type Thread = { readonly message: BusMessage; readonly replies: readonly BusMessage[] };

/** In the order of the first message of each; replies to replies stand in the same thread. */
export function toThreads(messages: readonly BusMessage[]): readonly Thread[] {
  const heads = new Map<string, string>();
  const threads = new Map<string, { message: BusMessage; replies: BusMessage[] }>();
  for (const message of messages) {
    const parent = message.parents.map(({ msg_id: id }) => heads.get(id)).find((head) => head !== undefined);
    const thread = parent === undefined ? undefined : threads.get(parent);
    if (parent === undefined || thread === undefined) {
      heads.set(message.msg_id, message.msg_id);
      threads.set(message.msg_id, { message, replies: [] });
    } else {
      heads.set(message.msg_id, parent);
      thread.replies.push(message);
    }
  }
  return [...threads.values()];
}
