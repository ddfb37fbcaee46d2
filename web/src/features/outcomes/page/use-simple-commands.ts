// The commands on an outcome that need nothing but a click.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type Outcome, routes } from "../../../../../src/protocol/api.ts";
import { api } from "../../../lib/api.ts";
import { keys } from "../../../lib/data/keys.ts";
import { showDone } from "../../../ui/toast.ts";
import { useOutcome } from "../outcome-context.tsx";
import { useKeepOutcome } from "../use-keep-outcome.ts";
import { useOutcomeCommand } from "../use-outcome-command.ts";

type Send = (input: { readonly params: { readonly outcomeId: string } }) => Promise<Outcome>;

const start: Send = (input) => api(routes.outcomes.start, input);
const pause: Send = (input) => api(routes.outcomes.pause, input);
const resume: Send = (input) => api(routes.outcomes.resume, input);
const archive: Send = (input) => api(routes.outcomes.archive, input);

export const useStart = () => useSimple(start, "The outcome was not started");
export const usePause = () => useSimple(pause, "The outcome was not paused");
export const useResume = () => useSimple(resume, "The outcome was not resumed");
export const useArchive = () => useSimple(archive, "The outcome was not archived");

function useSimple(send: Send, failure: string) {
  const { id } = useOutcome();
  const keep = useKeepOutcome();
  return useOutcomeCommand({ failure, send: () => send({ params: { outcomeId: id } }), onDone: keep });
}

/** Its page is left before what is gone would be asked for again. */
export function useDelete() {
  const { id, name } = useOutcome();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api(routes.outcomes.remove, { params: { outcomeId: id } }),
    onSuccess: async () => {
      await navigate({ to: "/outcomes" });
      showDone(`Deleted “${name}”`);
      queryClient.removeQueries({ queryKey: keys.outcome(id) });
      await queryClient.invalidateQueries({ queryKey: keys.outcomes });
    },
  });
}
