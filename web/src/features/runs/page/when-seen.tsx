// A part of the page that is fetched once one gets there, with room kept for it until then.

import { useIntersection } from "@mantine/hooks";
import { type ReactNode, Suspense, useState } from "react";
import { RowsSkeleton } from "../../../ui/skeletons.tsx";

export function WhenSeen({ children }: { readonly children: ReactNode }) {
  const { ref, entry } = useIntersection({ rootMargin: "200px" });
  const [wasSeen, setSeen] = useState(false);
  if (entry?.isIntersecting && !wasSeen) setSeen(true);
  return (
    <div ref={ref} className="run-when-seen">
      {wasSeen ? <Suspense fallback={<RowsSkeleton />}>{children}</Suspense> : null}
    </div>
  );
}
