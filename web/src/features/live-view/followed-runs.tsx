// Follows several runs at once and keeps what is known of each; shows nothing itself. The tab's one stream carries only so
// many topics, so the rest of a long list is told by the lists alone.

import { useCallback, useEffect, useState } from "react";
import type { Run } from "../../../../src/protocol/api.ts";
import type { RunView } from "../../../../src/protocol/run-view.ts";
import { useRunLive, useRunQuery } from "../../lib/live/use-run.ts";

export type FollowedRun = { readonly run: Run; readonly view: RunView };
export type FollowedRuns = ReadonlyMap<string, FollowedRun>;
type Tell = (runId: string, followed: FollowedRun) => void;

export function useFollowedRuns(): { readonly followed: FollowedRuns; readonly tell: Tell } {
  const [followed, setFollowed] = useState<FollowedRuns>(() => new Map());
  const tell = useCallback<Tell>((runId, now) => setFollowed((before) => new Map(before).set(runId, now)), []);
  return { followed, tell };
}

export function FollowRun({ runId, tell }: { readonly runId: string; readonly tell: Tell }) {
  const run = useRunQuery(runId).data?.run;
  return run ? <FollowLive run={run} tell={tell} /> : null;
}

function FollowLive({ run, tell }: { readonly run: Run; readonly tell: Tell }) {
  const view = useRunLive(run);
  useEffect(() => tell(run.id, { run, view }), [run, view, tell]);
  return null;
}
