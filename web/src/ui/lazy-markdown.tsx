// Markdown, fetched when first shown.

import { lazy, Suspense } from "react";
import { RowsSkeleton } from "./skeletons.tsx";

const Markdown = lazy(async () => ({ default: (await import("./markdown.tsx")).Markdown }));

export function LazyMarkdown({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <Markdown text={text} />
    </Suspense>
  );
}
