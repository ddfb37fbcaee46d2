// What taking back would remove, put back, keep and leave: a list of each, the first ones of it.

import { Stack, Text } from "@mantine/core";
import type { Undone } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";

const parts = [
  { name: "removed", label: "Made by the run: goes to the bin" },
  { name: "restored", label: "Changed by the run: gets back what it was" },
  { name: "kept", label: "Stays, because others use it too" },
  { name: "skipped", label: "Left as it is, as you chose" },
] as const;

/** More says nothing that the number does not. */
const shownMax = 12;

export function UndoThings({ outcome }: { readonly outcome: Undone }) {
  return (
    <Stack gap="sm">
      {parts
        .filter(({ name }) => outcome[name].count > 0)
        .map(({ name, label }) => (
          <section key={name} aria-label={label}>
            <Text size="sm" fw={600}>
              {label} ({counted(outcome[name].count, "thing")})
            </Text>
            <Things {...outcome[name]} />
          </section>
        ))}
    </Stack>
  );
}

/** Links are counted: their names say little. */
function Things({ count, items }: Undone["removed"]) {
  const shown = items.filter(({ kind }) => kind !== "edge").slice(0, shownMax);
  const links = items.filter(({ kind }) => kind === "edge").length;
  const others = count - shown.length - links;
  const rest = [
    ...(others > 0 ? [counted(others, "other thing")] : []),
    ...(links > 0 ? [counted(links, "link")] : []),
  ];
  return (
    <ul className="plain-list">
      {shown.map((thing) => (
        <li key={thing.ref}>
          <Text size="sm" className="breakable" dir="auto">
            <Text span size="sm" c="dimmed">
              {thing.kind}{" "}
            </Text>
            {thing.title}
          </Text>
        </li>
      ))}
      {rest.length > 0 ? (
        <li>
          <Text size="sm" c="dimmed">
            {shown.length > 0 ? "and " : ""}
            {rest.join(", ")}
          </Text>
        </li>
      ) : null}
    </ul>
  );
}
