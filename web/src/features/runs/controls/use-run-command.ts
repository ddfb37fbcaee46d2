// One thing a person does to the run of the page. What the server answers is shown at once; if the run had moved on meanwhile,
// the page says who was first and shows it as it is now.

import { notifications } from "@mantine/notifications";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Run } from "../../../../../src/protocol/api.ts";
import { keys } from "../../../lib/data/keys.ts";
import { runQuery } from "../../../lib/data/runs.ts";
import { codeOf, messageOf } from "../../../lib/failure.ts";
import { tone } from "../../../lib/tones.ts";
import { useRun } from "../run-context.tsx";
import { refusalOf } from "./lost-race.ts";

type Command<Input, Result> = {
  /** To be read after "It could not be". */
  readonly attempted: string;
  readonly send: (input: Input) => Promise<Result>;
  /** The run, where it is part of what was answered. */
  readonly runOf: (result: Result) => Run | null;
  readonly onDone?: (result: Result, input: Input) => void;
  /** Shown before the server has answered, and taken back if it says no. */
  readonly expected?: (run: Run, input: Input) => Run;
  readonly onFailed?: (input: Input, error: Error) => void;
  /** A second one while the first is under way is ignored: a double click means it once. */
  readonly isOnce?: boolean;
};

export function useRunCommand<Input, Result>(command: Command<Input, Result>) {
  const queryClient = useQueryClient();
  const { run, view } = useRun();
  // The button is off only after the next render; a double click is faster.
  const isUnderWay = useRef(false);
  const mutation = useMutation<Result, Error, Input, Run | undefined>({
    mutationFn: command.send,
    meta: { showsOwnErrors: true },
    onMutate: async (input) => {
      const { expected } = command;
      if (!expected) return undefined;
      await queryClient.cancelQueries(runQuery(run.id));
      const before = queryClient.getQueryData(runQuery(run.id).queryKey)?.run;
      setRun(queryClient, run.id, (now) => expected(now, input));
      return before;
    },
    onSuccess: (result, input) => {
      keepRun(queryClient, command.runOf(result));
      command.onDone?.(result, input);
    },
    onError: (error, input, before) => {
      if (before) setRun(queryClient, run.id, (now) => (now.last_seq === before.last_seq ? before : now));
      const refusal = refusalOf(error, command.attempted, view.state.status);
      keepRun(queryClient, refusal?.run ?? null);
      if (command.onFailed) command.onFailed(input, error);
      if (refusal)
        notifications.show({ color: tone.plain, title: refusal.title, message: refusal.text, autoClose: 12_000 });
      else if (codeOf(error) !== "not_signed_in")
        notifications.show({
          color: tone.failure,
          title: `It could not be ${command.attempted}`,
          message: messageOf(error),
        });
    },
    onSettled: () => {
      isUnderWay.current = false;
      void queryClient.invalidateQueries({ queryKey: keys.run(run.id) });
      void queryClient.invalidateQueries({ queryKey: keys.runs });
    },
  });
  return {
    isPending: mutation.isPending,
    mutate: (input: Input) => {
      if (command.isOnce && isUnderWay.current) return;
      isUnderWay.current = true;
      mutation.mutate(input);
    },
  };
}

/** Never an older one than the page has. */
function keepRun(queryClient: QueryClient, run: Run | null): void {
  if (run === null) return;
  setRun(queryClient, run.id, (now) => (now.last_seq <= run.last_seq ? run : now));
}

function setRun(queryClient: QueryClient, runId: string, change: (now: Run) => Run): void {
  queryClient.setQueryData(runQuery(runId).queryKey, (old) => old && { ...old, run: change(old.run) });
}
