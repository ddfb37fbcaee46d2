// One thing a person does to the outcome of the page, to its tasks or to a question of it. Afterwards the page reads everything again;
// a command that came too late says why and shows how things stand now.

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "../../lib/data/keys.ts";
import { codeOf, messageOf } from "../../lib/failure.ts";
import { tone } from "../../lib/tones.ts";
import { useOutcome } from "./outcome-context.tsx";

type Command<Input, Result> = {
  /** What did not happen, as a whole title: "The task was not split". */
  readonly failure: string;
  readonly send: (input: Input) => Promise<Result>;
  readonly onDone?: (result: Result, input: Input) => void;
  readonly onFailed?: (input: Input, error: Error) => void;
};

export function useOutcomeCommand<Input, Result>({ failure, send, onDone, onFailed }: Command<Input, Result>) {
  const queryClient = useQueryClient();
  const { id } = useOutcome();
  return useMutation<Result, Error, Input>({
    mutationFn: send,
    meta: { showsOwnErrors: true },
    onSuccess: (result, input) => onDone?.(result, input),
    onError: (error, input) => {
      onFailed?.(input, error);
      if (codeOf(error) === "not_signed_in") return;
      const isLate = codeOf(error) === "wrong_status" || codeOf(error) === "stale_version";
      const message = isLate ? `${messageOf(error)}. You see it as it is now.` : messageOf(error);
      notifications.show({ color: isLate ? tone.plain : tone.failure, title: failure, message, autoClose: 12_000 });
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: keys.outcome(id) });
      void queryClient.invalidateQueries({ queryKey: keys.outcomes });
    },
  });
}
