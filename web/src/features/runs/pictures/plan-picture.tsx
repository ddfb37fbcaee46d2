// The plan over the iterations: a row for each step with its status, placed where it was last touched. The rows are text, so
// there is nothing that only the picture says.

import { Anchor, Paper, Text, Title } from "@mantine/core";
import { useState } from "react";
import {
  type PlanLane,
  type PlanStatus,
  type PlanStep,
  placeOf,
  planLanes,
  planSentence,
  planStatusWords,
} from "./plan-rows.ts";

/** More are shown when asked for. */
const stepsShown = 30;

type PlanPictureProps = { readonly plan: readonly PlanStep[]; readonly iteration: number };

export function PlanPicture({ plan, iteration }: PlanPictureProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? plan : plan.slice(0, stepsShown);
  return (
    <Paper withBorder p="md" component="figure" m={0} className="picture">
      <Title order={3} size="h5" mb={4}>
        Plan
      </Title>
      <Text component="figcaption" size="sm" c="dimmed" mb="sm">
        {plan.length === 0
          ? "There is no plan yet."
          : `${planSentence(plan)}. Each stands at the iteration that last touched it, 1 to ${iteration}.`}
      </Text>
      {planLanes(shown).map((lane) => (
        <LaneRows key={lane.owner} lane={lane} iteration={iteration} />
      ))}
      {shown.length < plan.length ? (
        <Anchor component="button" type="button" size="xs" onClick={() => setWhole(true)}>
          Show all {plan.length} steps
        </Anchor>
      ) : null}
    </Paper>
  );
}

function LaneRows({ lane: { owner, steps }, iteration }: { readonly lane: PlanLane; readonly iteration: number }) {
  return (
    <section aria-label={`Steps of ${owner}`}>
      <Text size="xs" fw={600} mt="xs" className="breakable">
        {owner}
      </Text>
      <ul className="plain-list">
        {steps.map((step) => (
          <li key={step.id} className="plan-row">
            <Text span size="xs" className="plan-title">
              {step.title}
              <Text span size="xs" c="dimmed">
                {" "}
                · {planStatusWords[step.status]}
                {step.is_optional ? ", optional" : ""}
              </Text>
            </Text>
            <svg className="plan-track" width="100%" height="14" aria-hidden="true">
              <line x1="7" x2="calc(100% - 7px)" y1="7" y2="7" className="plan-line" />
              <Mark status={step.status} place={placeOf(step, iteration)} />
            </svg>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A shape for each status, not only a colour. */
function Mark({ status, place }: { readonly status: PlanStatus; readonly place: number }) {
  // Inside of the track's ends by half of the mark's width.
  return (
    <svg x={`${place * 100}%`} y="0" width="14" height="14" overflow="visible" aria-hidden="true">
      <g transform={`translate(${-14 * place} 0)`} className={`plan-mark plan-mark-${status}`}>
        {shapes[status]}
      </g>
    </svg>
  );
}

const shapes = {
  pending: <circle cx="7" cy="7" r="4.5" className="hollow" />,
  in_progress: <path d="M7 2.5a4.5 4.5 0 0 1 0 9z M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9" className="half" />,
  done: <circle cx="7" cy="7" r="5" />,
  failed: <path d="M3 3l8 8M11 3l-8 8" className="hollow" />,
  dropped: <path d="M2.5 7h9" className="hollow" />,
} as const;
