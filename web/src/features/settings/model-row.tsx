// One model: its price, what makes it usable, and whether it answers right now.

import { Button, Group, Paper, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { dollars } from "../../../../src/protocol/figures.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";
import { api } from "../../lib/api.ts";
import { messageOf } from "../../lib/failure.ts";
import { tone } from "../../lib/tones.ts";
import { describeModel, type FoundModel, splitModel } from "./model-words.ts";

type ModelTest = RouteResult<typeof routes.models.test>;

export function ModelRow({ model }: { readonly model: FoundModel }) {
  const test = useMutation({
    mutationFn: () => api(routes.models.test, { body: { model: model.id } }),
    meta: { showsOwnErrors: true },
  });
  return (
    <Paper component="li" withBorder className="row">
      <Group justify="space-between" gap="sm">
        <div className="row-text">
          <Text fw={600} className="breakable">
            {splitModel(model.id).name}
          </Text>
          <Text size="sm" c="dimmed" className="breakable">
            {describeModel(model)}
          </Text>
          <div role="status">
            {test.data ? <Result tested={test.data} /> : null}
            {test.error ? <Outcome works={false}>{messageOf(test.error)}</Outcome> : null}
          </div>
        </div>
        <Button
          size="xs"
          variant="default"
          loading={test.isPending}
          onClick={() => test.mutate()}
          aria-label={`Test ${splitModel(model.id).name}`}
          title={model.id}
        >
          Test
        </Button>
      </Group>
    </Paper>
  );
}

function Result({ tested }: { readonly tested: ModelTest }) {
  const cost = tested.cost_usd ? ` · ${dollars(Math.round(tested.cost_usd * 1_000_000))}` : "";
  return (
    <>
      <Outcome works={tested.works}>{`${tested.message}${cost}`}</Outcome>
      {tested.detail === null ? null : (
        <Text size="sm" c="dimmed" className="breakable">
          {tested.detail}
        </Text>
      )}
    </>
  );
}

function Outcome({ works, children }: { readonly works: boolean; readonly children: string }) {
  const Icon = works ? IconCircleCheck : IconCircleX;
  return (
    <Group gap={6} mt={4} wrap="nowrap" align="flex-start">
      <Icon
        size={18}
        aria-hidden
        color={`var(--mantine-color-${works ? tone.passed : tone.failure}-6)`}
        className="unshrinkable"
      />
      <Text size="sm" className="breakable">
        {children}
      </Text>
    </Group>
  );
}
