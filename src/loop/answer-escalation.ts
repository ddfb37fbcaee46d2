// Questions of outcomes as things that can be answered through a channel: the same command as an answer on the outcome's page, with its
// rules and its line in the audit log.

import type { Tx } from "../db/database.ts";
import type { GivenAnswer } from "../domain/channel/asked.ts";
import type { OutcomeId } from "../domain/homr/outcome.ts";
import type { HomrWorld } from "../domain/homr/outcome-state.ts";
import { type Escalation, isOpenEscalation } from "../domain/homr/questions/escalation.ts";
import { answerEscalation } from "../domain/homr/questions/resolve.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { Env } from "../lib/env.ts";
import type { Answerable, AnswerOutcome } from "../notify/answerable.ts";
import { commandOutcome } from "../outcomes/command-outcome.ts";
import type { Limits } from "../runs/carry-out.ts";
import { writeAudit } from "../store/identity/audit-store.ts";
import { inOutcomeTx, type OutcomeJobs } from "../store/outcome/outcome-store.ts";
import { findEscalation } from "../store/outcome-view/escalation-view-store.ts";

export type EscalationDeps = {
  readonly jobs: OutcomeJobs;
  readonly limits: Limits;
  readonly env: Pick<Env, "now" | "newId">;
};

export const answerableEscalations = (deps: EscalationDeps): Answerable => ({
  isOpen: async (tx, id, by) => (await findOpen(deps, tx, id, by)) !== null,
  answer: async (tx, id, answers, by) => {
    const open = await findOpen(deps, tx, id, by);
    const [given] = answers;
    if (open === null || given === undefined) return { kind: "closed" };
    const option = chosenBy(open, given);
    if (option === null) return { kind: "refused", why: chooseOne(open) };
    const outcome = await answer(deps, tx, open, option, by);
    if (outcome.kind === "taken")
      await writeAudit(tx, {
        actorId: by,
        action: "escalation_answered",
        target: `outcome:${open.outcomeId}`,
        details: { through: "telegram" },
      });
    return outcome;
  },
});

/** Null where it is another's, or waits for nothing. */
async function findOpen({ jobs }: EscalationDeps, tx: Tx, id: string, by: UserId): Promise<Escalation | null> {
  const found = await findEscalation(tx, null, id);
  if (found === null) return null;
  const state = await inOutcomeTx(tx, jobs, (outcomes) => outcomes.lockOutcome(found.outcomeId as OutcomeId));
  if (state === null || state.outcome.userId !== by) return null;
  return state.escalations.find((each) => each.id === id && isOpenEscalation(each)) ?? null;
}

/** A button names the option; words have to be those of one. */
function chosenBy({ options }: Escalation, given: GivenAnswer): string | null {
  const said = "text" in given ? given.text.trim().toLowerCase() : null;
  const option = options.find(({ id, label }) =>
    "optionId" in given ? id === given.optionId : label.trim().toLowerCase() === said,
  );
  return option?.id ?? null;
}

const chooseOne = ({ options }: Escalation): string =>
  `Choose one of: ${options.map(({ label }) => label).join("; ")}. On the page you can add words to it.`;

async function answer(
  { jobs, limits, env }: EscalationDeps,
  tx: Tx,
  { id: escalationId, outcomeId }: Escalation,
  option: string,
  by: UserId,
): Promise<AnswerOutcome> {
  const world: HomrWorld = { nowMs: env.now(), newId: () => env.newId() };
  const given = { escalationId, option, additionalContext: "" };
  const done = await inOutcomeTx(tx, jobs, (outcomes) =>
    commandOutcome(outcomes, by, outcomeId, (state, now) => answerEscalation(state, given, now), { limits, world }),
  );
  if (done.outcome === "done") return { kind: "taken" };
  return done.outcome === "missing" ? { kind: "closed" } : { kind: "refused", why: done.why };
}
