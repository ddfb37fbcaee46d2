// The log of a run on the page: the last lines first, then what comes, and earlier lines when asked for.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { agentTaskKey, busKey, type RunPlace } from "../../../lib/data/agents.ts";
import { useTaskStream } from "../../../lib/live/use-task-stream.ts";
import { addPage, dropStream, emptyBook } from "./log-book.ts";

const streams = ["stdout", "stderr"] as const;
const firstLines = 1_000;

export function useLog(place: RunPlace) {
  const queryClient = useQueryClient();
  const first = useQuery({
    queryKey: [...agentTaskKey(place), "log", place.agentRun],
    queryFn: ({ signal }) =>
      Promise.all(
        streams.map((stream) =>
          api(routes.agents.log, { params: place, query: { stream, lines: firstLines } }, { signal }),
        ),
      ),
    // What comes after it is told by the stream.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [book, setBook] = useState(emptyBook);
  const pages = first.data;
  useEffect(() => {
    if (pages !== undefined) setBook(pages.reduce((all, page) => addPage(all, page), emptyBook));
  }, [pages]);
  const offsets = { stdout: pages?.[0]?.next ?? 0, stderr: pages?.[1]?.next ?? 0 };
  useTaskStream(place, { runId: place.agentRun, ...offsets }, pages !== undefined, {
    onChange: () => void queryClient.invalidateQueries({ queryKey: agentTaskKey(place), predicate: isNotLog }),
    onMessage: () => void queryClient.invalidateQueries({ queryKey: busKey(place) }),
    onLog: (page) => setBook((before) => addPage(before, page)),
    onLogRestart: (stream) => setBook((before) => dropStream(before, stream)),
  });
  const loadEarlier = async () => {
    const wanted = streams.filter((stream) => book.from[stream] > 0);
    const earlier = await Promise.all(
      wanted.map((stream) =>
        api(routes.agents.log, { params: place, query: { stream, up_to: book.from[stream], lines: firstLines } }),
      ),
    );
    setBook((before) => earlier.reduce((all, page) => addPage(all, page, true), before));
  };
  return { first, book, hasEarlier: streams.some((stream) => book.from[stream] > 0), loadEarlier };
}

const isNotLog = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean => !queryKey.includes("log");
