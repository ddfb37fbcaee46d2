// Homework at work, seen from every page: how many run, and in orange how many need the user. Opens the live view.

import { Badge, Box, Button, VisuallyHidden } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import { useAtWork } from "./at-work.ts";
import { shortCount, workSentence, workWords } from "./counts.ts";
import { openLiveView } from "./live-view-door.ts";

export function RunningIndicator() {
  const atWork = useAtWork();
  const said = workWords(atWork);
  if (said === null) return null;
  const needsYou = atWork.waiting > 0;
  return (
    <Button
      size="sm"
      px="xs"
      variant={needsYou ? "filled" : "default"}
      color="orange"
      autoContrast
      onClick={openLiveView}
      aria-haspopup="dialog"
      leftSection={needsYou ? <IconHandStop size={16} aria-hidden /> : <Dot isMoving={atWork.running > 0} />}
      rightSection={
        <Badge
          variant={needsYou ? "white" : "light"}
          color={needsYou ? "dark" : "blue"}
          size="sm"
          circle={said.count < 10}
          aria-hidden
        >
          {shortCount(said.count)}
        </Badge>
      }
      classNames={{ section: "snug" }}
    >
      <span className="words-when-wide">{said.words}</span>
      <VisuallyHidden>: {workSentence(atWork)}. Open the live view</VisuallyHidden>
    </Button>
  );
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
