// Markdown, fetched when first shown.

import { lazy, Suspense } from "react";
import type { MarkdownProps } from "./markdown.tsx";
import { RowsSkeleton } from "./skeletons.tsx";

const Markdown = lazy(async () => ({ default: (await import("./markdown.tsx")).Markdown }));

export function LazyMarkdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <Markdown {...props} />
    </Suspense>
  );
}
