// Homework at work, seen from every page: how much runs and how much needs the user. It leads to the question of the run that needs
// the user, or to the one that runs; if there are several, to home.

import { Badge, Box } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import { tone } from "../../lib/tones.ts";
import { ButtonLink } from "../../ui/links.tsx";
import { useAtWork, useSoleRun } from "./at-work.ts";
import { shortCount, urgentCount, workWords } from "./counts.ts";

export function RunningIndicator() {
  const atWork = useAtWork();
  const runId = useSoleRun(atWork);
  const words = workWords(atWork);
  if (words === "") return null;
  const needsYou = atWork.waiting > 0;
  const place = runId === undefined ? { to: "/homework" as const } : { to: runPage, params: { runId } };
  return (
    <ButtonLink
      {...place}
      {...(needsYou ? { hash: "needs-you" } : {})}
      size="sm"
      px="xs"
      variant={needsYou ? "filled" : "default"}
      color={tone.needsYou}
      leftSection={needsYou ? <IconHandStop size={16} aria-hidden /> : <Dot isMoving={atWork.running > 0} />}
      classNames={{ section: "snug" }}
      aria-label={`${words}. ${runId === undefined ? "Go to home" : needsYou ? "Open the question" : "Open the run"}`}
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

const runPage = "/homework/runs/$runId" as const;

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
