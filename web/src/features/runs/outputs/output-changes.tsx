// What a run changed in one thing, field by field: before its first write and after its last.

import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { RunOutput, routes } from "../../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../../src/protocol/route.ts";
import { outputQuery } from "../../../lib/data/runs.ts";
import { EntityLink } from "../../../ui/entity-link.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { TextDiff } from "../../../ui/text-diff.tsx";
import { fieldWords } from "./output-groups.ts";

type Field = RouteResult<typeof routes.runParts.output>["fields"][number];
type OutputChangesProps = { readonly runId: string; readonly output: RunOutput };

export function OutputChanges({ runId, output }: OutputChangesProps) {
  const found = useQuery(outputQuery(runId, output.id));
  return (
    <QueryView query={found}>
      {({ fields }) =>
        fields.length === 0 ? (
          <Text size="sm" c="dimmed" mt="xs">
            In the end, every field is as it was before.
          </Text>
        ) : (
          <Stack gap="md" mt="xs">
            {fields.map((field) => (
              <section key={field.name} aria-label={fieldWords(field.name)}>
                <Text size="sm" fw={600} mb={4}>
                  {fieldWords(field.name)}
                </Text>
                <TextDiff before={field.before} after={field.after} />
                {field.is_cut ? <CutNotice field={field} output={output} /> : null}
              </section>
            ))}
          </Stack>
        )
      }
    </QueryView>
  );
}

function CutNotice({ field, output }: { readonly field: Field; readonly output: RunOutput }) {
  return (
    <Text size="xs" c="dimmed" mt={4}>
      This is only the beginning.{" "}
      {output.kind === "edge" || !output.is_there || field.after === null ? null : (
        <EntityLink kind={output.kind} projectId={output.project_id} id={output.id} underline="always">
          See all of it on its own page
        </EntityLink>
      )}
    </Text>
  );
}
