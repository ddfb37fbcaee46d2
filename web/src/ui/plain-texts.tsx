// Two texts that are too large to be compared, one below the other, as much of each as one wants to see.

import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { counted } from "../../../src/protocol/figures.ts";
import "./text-diff.css";

/** What a page shows at once without being felt. */
const shownAtOnce = 20_000;

type PlainTextsProps = { readonly before: string | null; readonly after: string | null };

export function PlainTexts({ before, after }: PlainTextsProps) {
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Too large to compare line by line. Both versions are shown.
      </Text>
      {before ? <OneText name="Before" text={before} /> : null}
      {after ? <OneText name="After" text={after} /> : null}
    </Stack>
  );
}

function OneText({ name, text }: { readonly name: string; readonly text: string }) {
  const [shown, setShown] = useState(shownAtOnce);
  const left = text.length - shown;
  return (
    <section aria-label={name}>
      <Text size="sm" fw={600}>
        {name} ({counted(text.length, "character")})
      </Text>
      <pre className="diff-plain" dir="auto">
        {text.slice(0, shown)}
      </pre>
      {left > 0 ? (
        <Button size="xs" variant="default" mt="xs" onClick={() => setShown(shown + shownAtOnce)}>
          Show more ({counted(left, "character")} left)
        </Button>
      ) : null}
    </section>
  );
}
