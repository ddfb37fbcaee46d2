// The headings of a document as links. Beside the text, or folded above it where there is no room.

import { Anchor, Stack, Title } from "@mantine/core";
import type { Heading } from "./use-headings.ts";

/** A text of two headings is seen at a glance. */
const headingsMin = 3;

type ContentsProps = { readonly headings: readonly Heading[] };

export function ContentsBeside({ headings }: ContentsProps) {
  if (headings.length < headingsMin) return null;
  return (
    <Stack component="nav" gap="xs" aria-labelledby="contents" visibleFrom="md">
      <Title order={2} size="h5" id="contents">
        Contents
      </Title>
      <HeadingLinks headings={headings} />
    </Stack>
  );
}

export function ContentsAbove({ headings }: ContentsProps) {
  if (headings.length < headingsMin) return null;
  return (
    <Stack component="nav" hiddenFrom="md" aria-label="Contents">
      <details className="contents-folded">
        <summary>Contents</summary>
        <HeadingLinks headings={headings} />
      </details>
    </Stack>
  );
}

function HeadingLinks({ headings }: ContentsProps) {
  const top = Math.min(...headings.map(({ level }) => level));
  return (
    <ul className="plain-list contents">
      {headings.map(({ id, text, level }) => (
        <li key={id} data-depth={level - top}>
          <Anchor href={`#${encodeURIComponent(id)}`} size="sm" className="breakable">
            {text || "Untitled"}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
