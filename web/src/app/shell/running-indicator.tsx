// Homework at work, seen from every page: how much runs and how much needs the user, outcomes included. It leads to the question of the
// run that needs the user, or to the one that runs; if only outcomes or agents need the user, to these; if there are several, to home.

import { Badge, Box } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import { tone } from "../../lib/tones.ts";
import { ButtonLink } from "../../ui/links.tsx";
import { taskPlace } from "../../ui/task-place.ts";
import { type Standing, useAtWork, useSoleRun } from "./at-work.ts";
import { countNeeding, shortCount, urgentCount, workWords } from "./counts.ts";

export function RunningIndicator() {
  const atWork = useAtWork();
  const runId = useSoleRun(atWork);
  const words = workWords(atWork);
  if (words === "") return null;
  const needsYou = countNeeding(atWork) > 0;
  const { leads, ...place } = placeOf(atWork, runId);
  return (
    <ButtonLink
      {...place}
      size="sm"
      px="xs"
      variant={needsYou ? "filled" : "default"}
      color={tone.needsYou}
      leftSection={needsYou ? <IconHandStop size={16} aria-hidden /> : <Dot isMoving={atWork.running > 0} />}
      classNames={{ section: "snug" }}
      aria-label={`${words}. ${leads}`}
    >
      <span className="words-when-wide">{words}</span>
      <Badge
        hiddenFrom="md"
        variant={needsYou ? "white" : "light"}
        color={needsYou ? "dark" : "blue"}
        size="sm"
        circle={urgentCount(atWork) < 10}
        aria-hidden
      >
        {shortCount(urgentCount(atWork))}
      </Badge>
    </ButtonLink>
  );
}

/** Where it leads, and how that is said. */
function placeOf({ waiting, questions, agents, asked }: Standing, runId: string | undefined) {
  const [only, ...more] = asked;
  if (agents > 0 && waiting + questions === 0)
    return only === undefined || more.length > 0
      ? ({ to: "/agents", leads: "Go to agents" } as const)
      : ({ ...taskPlace(only), leads: "Open the question" } as const);
  if (agents > 0) return { to: "/homework", leads: "Go to home" } as const;
  if (questions > 0 && waiting === 0) return { to: "/outcomes", leads: "Go to outcomes" } as const;
  const hash = waiting > 0 ? { hash: "needs-you" } : {};
  if (runId === undefined) return { to: "/homework", leads: "Go to home", ...hash } as const;
  const leads = waiting > 0 ? "Open the question" : "Open the run";
  return { to: "/homework/runs/$runId", params: { runId }, leads, ...hash } as const;
}

function Dot({ isMoving }: { readonly isMoving: boolean }) {
  return (
    <Box
      component="span"
      className={isMoving ? "live-dot" : "still-dot"}
      c={isMoving ? "blue" : "dimmed"}
      aria-hidden
    />
  );
}
