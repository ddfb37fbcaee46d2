// What HOMЯ asks, over HTTP: looking at it, answering, dismissing, and saying yes or no to what a model proposes. Of two answers that
// meet, the first holds, and the second is told whose it was.

import type { Tx } from "../../db/database.ts";
import type { HomrWorld, Moved, OutcomeState, Refused } from "../../domain/homr/outcome-state.ts";
import { ownWords, takesOwnWords } from "../../domain/homr/questions/escalation.ts";
import {
  answerEscalation,
  confirmAnswer,
  dismissEscalation,
  rejectAnswer,
  thinkItOver,
} from "../../domain/homr/questions/resolve.ts";
import type { AuditAction } from "../../domain/identity/audit.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import {
  type EscalationView,
  findEscalation,
  listEscalations,
} from "../../store/outcome-view/escalation-view-store.ts";
import { lastOutcomeSeq } from "../../store/outcome-view/outcome-list-store.ts";
import { alreadyDecided, toWireEscalation } from "../homr-wire.ts";
import { mountUser } from "../mount.ts";
import { type Changed, type ChangeRequest, changeOutcome, type OutcomeDeps } from "../outcome-desk.ts";
import { foundOrThrow, missing, toWirePage } from "../wire.ts";

export function mountEscalationRoutes(deps: OutcomeDeps): void {
  mountUser(deps, routes.escalations.listAll, async ({ tx, query }) =>
    toWirePage(await listEscalations(tx, null, query), toWireEscalation),
  );

  mountUser(deps, routes.escalations.find, async ({ tx, params }) =>
    toWireEscalation(foundOrThrow(await findEscalation(tx, null, params.escId), "escalation")),
  );

  mountUser(deps, routes.escalations.list, async ({ tx, params, query }) => {
    if ((await lastOutcomeSeq(tx, params.outcomeId)) === null) throw missing("outcome");
    return toWirePage(await listEscalations(tx, params.outcomeId, query), toWireEscalation);
  });

  mountUser(deps, routes.escalations.get, async ({ tx, params }) => toWireEscalation(await viewOf(tx, params)));

  mountUser(deps, routes.escalations.answer, async (request) => {
    const { selected_option: option, additional_context: additionalContext = "" } = request.body;
    refuseUnknownOption(await viewOf(request.tx, request.params), option);
    const given = { escalationId: request.params.escId, option, additionalContext };
    return decide(deps, request, "escalation_answered", (state, world) => answerEscalation(state, given, world));
  });

  mountUser(deps, routes.escalations.dismiss, (request) => {
    const given = { escalationId: request.params.escId, why: request.body.why };
    return decide(deps, request, "escalation_dismissed", (state, world) => dismissEscalation(state, given, world));
  });

  mountUser(deps, routes.escalations.think, (request) =>
    decide(deps, request, "escalation_postponed", (state) => thinkItOver(state, request.params.escId)),
  );

  mountUser(deps, routes.escalations.confirm, (request) =>
    decide(deps, request, "escalation_answered", (state, world) => confirmAnswer(state, request.params.escId, world)),
  );

  mountUser(deps, routes.escalations.reject, (request) =>
    decide(deps, request, "escalation_rejected", (state) => rejectAnswer(state, request.params.escId)),
  );
}

type EscalationParams = { readonly outcomeId: string; readonly escId: string };
type EscalationRequest = ChangeRequest & { readonly params: EscalationParams };

const viewOf = async (tx: Tx, { outcomeId, escId }: EscalationParams): Promise<EscalationView> =>
  foundOrThrow(await findEscalation(tx, outcomeId, escId), "escalation");

const isOver = ({ status }: EscalationView) => status === "answered" || status === "dismissed";

/** One that is over says so, whatever was chosen. */
function refuseUnknownOption(view: EscalationView, option: string): void {
  if (isOver(view)) throw alreadyDecided(view);
  const known = [...view.options.map(({ id }) => id), ...(takesOwnWords(view.options) ? [ownWords] : [])];
  if (known.includes(option)) return;
  throw new AppError("invalid_request", `body.selected_option: must be one of ${known.join(", ")}`);
}

async function decide(
  deps: OutcomeDeps,
  request: EscalationRequest,
  action: AuditAction,
  command: (state: OutcomeState, world: HomrWorld) => Moved | Refused,
) {
  const { tx, params } = request;
  const before = await viewOf(tx, params);
  if (isOver(before)) throw alreadyDecided(before);
  const changed = await changeOutcome(deps, request, {
    action,
    command,
    explain: async (why) => {
      const now = await viewOf(tx, params);
      if (isOver(now)) return alreadyDecided(now);
      const details = { status: now.status, escalation: toWireEscalation(now) };
      return new AppError("wrong_status", why, { details });
    },
  });
  const escalation = toWireEscalation(await viewOf(tx, params));
  return { success: true as const, resumed_tasks: findResumed(changed), escalation };
}

/** Tasks that were paused and are no longer. */
function findResumed({ before, after }: Changed): string[] {
  const paused = new Set(before.tasks.filter(({ status }) => status === "paused").map(({ id }) => id));
  return after.tasks.filter(({ id, status }) => paused.has(id) && status !== "paused").map(({ id }) => id);
}
