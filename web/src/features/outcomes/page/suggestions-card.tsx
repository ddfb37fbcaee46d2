// Changes of the approach that HOMЯ suggests: its owner takes one over into a new version, or leaves it.

import { Button, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { activityQuery } from "../../../lib/data/homr.ts";
import { Card } from "../../../ui/card.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { ApproachModal } from "./approach-modal.tsx";
import { openSuggestions, withSuggestion } from "./suggestions.ts";

export function Suggestions() {
  const { id, approach } = useOutcome();
  const steering = useInfiniteQuery(activityQuery(id, { type: "steering" }));
  const [taken, setTaken] = useState<string | null>(null);
  const text = approach?.text ?? "";
  const open = openSuggestions(steering.data?.pages.flatMap(({ items }) => items) ?? [], text);
  if (open.length === 0) return null;
  return (
    <Card title="Suggested by HOMЯ">
      <ul className="plain-list">
        {open.map((each) => (
          <Stack component="li" key={each.text} gap={4} className="run-row" align="flex-start">
            <Text size="sm" className="breakable pre-wrap" dir="auto">
              {each.text}
            </Text>
            {each.reason === "" ? null : (
              <Text size="xs" c="dimmed" className="breakable" dir="auto">
                {each.reason}
              </Text>
            )}
            <Button size="compact-sm" variant="default" onClick={() => setTaken(each.text)}>
              Add to approach
            </Button>
          </Stack>
        ))}
      </ul>
      {taken === null ? null : <ApproachModal begunWith={withSuggestion(text, taken)} onClose={() => setTaken(null)} />}
    </Card>
  );
}
