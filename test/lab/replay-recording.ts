// Plays a folder of sessions that were answered by hand (shared form: `0001.request.json` and `0001.answer.json` or `.txt`) as a
// compatible server: the nth request gets the nth answer. Ids of that time become ids of today: the kth new id of a recorded
// request stands for the kth new one of the request that came in its place. Only tests import it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Lab, type LabOptions, startLab } from "./lab.ts";
import { type LabReply, record, records, str } from "./lab-protocol.ts";

export type ReplayOptions = Omit<LabOptions, "script"> & {
  /** Sessions side by side, told apart by their raw request: each gets its own recorded answers in their own order. */
  readonly sessionOf?: (rawRequest: Record<string, unknown>) => string;
  /** Happens before the recorded answer of this number is given. */
  readonly before?: (name: string) => Promise<void>;
};

export type Replay = {
  readonly lab: Lab;
  /** Null where there were as many requests as recorded answers, else what differs. */
  readonly difference: () => string | null;
};

/** More than any session by hand has had. */
const recordingsMax = 2_000;
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

type Recorded = { readonly name: string; readonly request: string; readonly answer: string; readonly isText: boolean };

export async function replayRecording(folder: string, options: ReplayOptions = {}): Promise<Replay> {
  const { sessionOf = () => "", before, ...rest } = options;
  const recordings = readRecordings(folder);
  const open = [...recordings];
  const today = new Map<string, string>();
  let asked = 0;
  const script = async ({ raw }: { readonly raw: unknown }): Promise<LabReply> => {
    asked += 1;
    const session = sessionOf(record(raw));
    const at = open.findIndex(({ request }) => sessionOf(record(JSON.parse(request))) === session);
    const [recorded] = at < 0 ? [] : open.splice(at, 1);
    if (recorded === undefined) return { status: 500, body: `lab: no recorded answer is left for request ${asked}` };
    await before?.(recorded.name);
    pairIds(recorded.request, JSON.stringify(raw), today);
    const answer = recorded.answer.replaceAll(uuids, (id) => today.get(id.toLowerCase()) ?? id);
    return recorded.isText ? { text: answer } : toReply(record(JSON.parse(answer)));
  };
  const lab = await startLab({ ...rest, script });
  return {
    lab,
    difference: () =>
      asked === recordings.length && open.length === 0
        ? null
        : `${asked} requests, ${recordings.length} recorded; not played: ${open.map(({ name }) => name).join(", ") || "none"}`,
  };
}

function readRecordings(folder: string): readonly Recorded[] {
  const names = readdirSync(folder)
    .flatMap((file) => /^(\d{4})\.request\.json$/.exec(file)?.[1] ?? [])
    .sort()
    .slice(0, recordingsMax);
  return names.flatMap((name): readonly Recorded[] => {
    const read = (file: string) => readFileSync(path.join(folder, `${name}.${file}`), "utf8");
    const request = read("request.json");
    if (existsSync(path.join(folder, `${name}.answer.json`)))
      return [{ name, request, answer: read("answer.json"), isText: false }];
    // A session that was given up leaves a request without an answer.
    if (!existsSync(path.join(folder, `${name}.answer.txt`))) return [];
    return [{ name, request, answer: read("answer.txt"), isText: true }];
  });
}

/** Ids that are paired stay so; of the others, the first of then is the first of now. */
function pairIds(then: string, now: string, today: Map<string, string>): void {
  const taken = new Set(today.values());
  const idsIn = (text: string) => [...new Set((text.match(uuids) ?? []).map((id) => id.toLowerCase()))];
  const fresh = idsIn(now).filter((id) => !taken.has(id));
  for (const id of idsIn(then).filter((each) => !today.has(each))) {
    const next = fresh.shift();
    if (next === undefined) return;
    today.set(id, next);
  }
}

function toReply({ content, tool_calls: calls }: Record<string, unknown>): LabReply {
  const toolCalls = records(calls).map((call) => ({ name: str(call.name), args: call.arguments ?? {} }));
  return { text: str(content), toolCalls };
}
