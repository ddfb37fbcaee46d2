// A run as it is right now: what the server answered, with every event since folded onto it. Whatever an event cannot tell is
// asked for again, so a page that watched shows what a page opened now shows.

import { useMemo, useRef, useState } from "react";
import type { Run, RunEvent } from "../../../../src/protocol/api.ts";
import { runEvent } from "../../../../src/protocol/routes/run-shapes.ts";
import { foldAll, type RunView, viewOf } from "../../../../src/protocol/run-view.ts";
import { keys } from "../data/keys.ts";
import { withEvent } from "./held-events.ts";
import { useRefresher } from "./refresher.ts";
import { useLiveTopic } from "./tab-stream.ts";

/** Events since the run was last read; with more, it is read again, and they are let go. */
const heldMax = 500;
/** A busy run says much at once; asking again after each would ask all the time. */
const askAgainMs = 400;

/** What an event makes old, from little to much. The view itself is folded and never waits for an answer. */
type Part = "entries" | "itself" | "all";

const partOf: Readonly<Record<string, Part>> = { entry_recorded: "entries", iteration_cost_update: "itself" };

/** Follows a run that was read; call it once per page. */
export function useRunLive(run: Run): RunView {
  const [held, setHeld] = useState<readonly RunEvent[]>([]);
  const refresh = useRefresher(askAgainMs);
  const askAgain = (what: Part) => refresh(what === "all" ? keys.run(run.id) : [...keys.run(run.id), what]);
  const known = useRef(run.last_seq);
  known.current = Math.max(known.current, run.last_seq);
  useLiveTopic(
    `run:${run.id}`,
    run.last_seq,
    ({ data }) => {
      const event = runEvent.parse(data);
      setHeld((before) => withEvent(before, event, known.current));
      askAgain(held.length >= heldMax ? "all" : (partOf[event.type] ?? "all"));
    },
    () => askAgain("all"),
    () => askAgain("all"),
  );
  return useMemo(() => foldAll(viewOf(run), held), [run, held]);
}
