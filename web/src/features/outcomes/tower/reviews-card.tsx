// Reviews of the whole result: what each found, and how many clean ones in a row there are.

import { Badge, Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Review } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { reviewsQuery } from "../../../lib/data/homr.ts";
import { tone } from "../../../lib/tones.ts";
import { Card } from "../../../ui/card.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { Time } from "../../../ui/time.tsx";
import { useOutcome } from "../outcome-context.tsx";

export function ReviewsCard() {
  const { id, status, clean_reviews: clean } = useOutcome();
  const reviews = useInfiniteQuery(reviewsQuery(id));
  const items = reviews.data?.pages.flatMap((page) => page.items) ?? [];
  if (items.length === 0 && status !== "active") return null;
  return (
    <Card title="Reviews" beside={items.length === 0 ? null : `${Math.min(clean, 2)} of 2 clean in a row`}>
      {items.length === 0 ? (
        <Text size="sm" c="dimmed">
          None yet. Once all tasks are done, HOMЯ reviews the whole result. Two clean reviews in a row finish the
          outcome.
        </Text>
      ) : (
        <ul className="plain-list outcome-lines" aria-label="Reviews">
          {items.map((review) => (
            <ReviewRow key={review.cycle} review={review} />
          ))}
        </ul>
      )}
      <LoadMore query={reviews} />
    </Card>
  );
}

function ReviewRow({ review }: { readonly review: Review }) {
  return (
    <li>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          Review {review.cycle}
        </Text>
        <Badge size="sm" variant="light" tt="none" color={review.is_clean ? tone.passed : tone.strong}>
          {review.is_clean ? "Clean" : counted(review.findings.length, "finding")}
        </Badge>
        <Text size="xs" c="dimmed">
          <Time at={review.created_at} />
        </Text>
      </Group>
      <Text size="sm" className="breakable" dir="auto">
        {review.summary}
      </Text>
      {review.task_id === null ? null : (
        <AnchorLink size="sm" to="." search={{ task: review.task_id }} resetScroll={false}>
          Open the task with the findings
        </AnchorLink>
      )}
    </li>
  );
}
