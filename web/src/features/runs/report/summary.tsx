// What came of a run in at most three sentences; the rest of its summary opens below them.

import { Anchor } from "@mantine/core";
import { useState } from "react";
import { LazyMarkdown } from "../../../ui/lazy-markdown.tsx";
import { firstSentences } from "./first-sentences.ts";

const sentencesMax = 3;

type SummaryProps = { readonly label: string; readonly text: string };

export function Summary({ label, text }: SummaryProps) {
  const [isWhole, setWhole] = useState(false);
  const { shown, isCut } = firstSentences(text, sentencesMax);
  return (
    <section aria-label={label} dir="auto" className="prose result-summary">
      <LazyMarkdown text={isWhole ? text : shown} />
      {isCut ? (
        <Anchor
          component="button"
          type="button"
          size="sm"
          className="not-printed"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? "Less" : "More"}
        </Anchor>
      ) : null}
    </section>
  );
}
