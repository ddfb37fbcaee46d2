// A text before and after: line by line with changed words marked, or, where the texts are too large for that, each by itself.

import { Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import { PlainTexts } from "./plain-texts.tsx";
import { RowsSkeleton } from "./skeletons.tsx";

/** Characters of both together; beyond it comparing would be felt. */
const comparedMax = 600_000;

const DiffLines = lazy(async () => ({ default: (await import("./diff-lines.tsx")).DiffLines }));

export type TextDiffProps = {
  /** Null: it was not there. */
  readonly before: string | null;
  /** Null: it is not there any more. */
  readonly after: string | null;
};

export function TextDiff({ before, after }: TextDiffProps) {
  if ((before ?? "") === (after ?? ""))
    return (
      <Text size="sm" c="dimmed">
        {before ? "The same before and after." : "Empty before and after."}
      </Text>
    );
  if ((before?.length ?? 0) + (after?.length ?? 0) > comparedMax) return <PlainTexts before={before} after={after} />;
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <DiffLines before={before ?? ""} after={after ?? ""} />
    </Suspense>
  );
}
