// What a search found among outcomes: the outcome itself, a question of it, or what HOMЯ saw. Each leads to its place on the page.

import type { AnchorProps } from "@mantine/core";
import { IconEye, IconMessageQuestion, IconTargetArrow } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { OutcomeHit } from "../../../src/protocol/api.ts";
import { AnchorLink } from "./links.tsx";

const icons = { outcome: IconTargetArrow, escalation: IconMessageQuestion, observation: IconEye } as const;

export const outcomeHitWords: Readonly<Record<OutcomeHit["kind"], string>> = {
  outcome: "Outcome",
  escalation: "Question",
  observation: "Result check",
};

export function OutcomeHitIcon({ kind }: Pick<OutcomeHit, "kind">) {
  const Icon = icons[kind];
  return <Icon size={18} stroke={1.6} aria-hidden className="unshrinkable" />;
}

/** What the page of the outcome opens. */
export function searchOfHit({ kind, id }: Pick<OutcomeHit, "kind" | "id">) {
  if (kind === "escalation") return { escalation: id };
  return kind === "observation" ? { observation: id } : {};
}

type OutcomeHitLinkProps = AnchorProps & {
  readonly hit: OutcomeHit;
  readonly children: ReactNode;
  readonly dir?: "auto";
};

export function OutcomeHitLink({ hit, ...rest }: OutcomeHitLinkProps) {
  return (
    <AnchorLink to="/outcomes/$outcomeId" params={{ outcomeId: hit.outcome_id }} search={searchOfHit(hit)} {...rest} />
  );
}
