// For someone without any homework yet: what this is, which model does the work, and one button that shows it.

import { Alert, Button, List, Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCpu, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { routes } from "../../../../../src/protocol/api.ts";
import { nameModel } from "../../../../../src/protocol/words/model.ts";
import { keys } from "../../../lib/data/keys.ts";
import { modelsQuery } from "../../../lib/data/runs.ts";
import { ownTimeZone } from "../../../lib/dates.ts";
import { messageOf } from "../../../lib/failure.ts";
import { tone } from "../../../lib/tones.ts";
import { useCreate } from "../../../lib/use-create.ts";
import { AnchorLink } from "../../../ui/links.tsx";

const sampleObjective = "Plan the launch of a neighbourhood repair café";

export function FirstRun() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const models = useQuery(modelsQuery).data;
  const isAgents = models?.is_demo === true && models.agents.length > 0;
  const start = useCreate(routes.runs.create, {
    showsOwnErrors: true,
    onSuccess: ({ run_id: runId }) => {
      void queryClient.invalidateQueries({ queryKey: keys.runs });
      void navigate({ to: "/homework/runs/$runId", params: { runId } });
    },
  });
  return (
    <Paper withBorder p="lg" mb="lg">
      <Stack gap="md" align="flex-start">
        <Title order={1} size="h2">
          Hand over your first homework
        </Title>
        <List spacing={4}>
          <List.Item>Say what you want done. Homework plans the work and does it, step by step.</List.Item>
          <List.Item>Close the tab. The run continues and asks you only when it has to.</List.Item>
          <List.Item>Come back to finished work that was checked, with a report of what was done and why.</List.Item>
        </List>
        <ModelNotice />
        {start.error ? (
          <Alert
            color={tone.failure}
            title="The run did not start"
            icon={<IconAlertTriangle aria-hidden />}
            role="alert"
          >
            {messageOf(start.error)}
          </Alert>
        ) : null}
        <Button
          size="md"
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          loading={start.isPending}
          onClick={() =>
            start.mutate({
              body: {
                objective: sampleObjective,
                time_zone: ownTimeZone(),
                ...(isAgents ? { engine: "agent" as const } : {}),
              },
            })
          }
        >
          Start a sample homework
        </Button>
        <Text size="sm" c="dimmed">
          The sample: “{sampleObjective}”. Or write your own below.
        </Text>
      </Stack>
    </Paper>
  );
}

function ModelNotice() {
  const models = useQuery(modelsQuery).data;
  if (!models) return null;
  if (models.is_demo && models.agents.length > 0)
    return (
      <Alert variant="light" color="blue" icon={<IconCpu aria-hidden />} title={`Found ${models.agents.join(", ")}`}>
        No key for a model is set, so an agent on this machine does the work. Choose “Planner (demo model)” below to see
        the demo instead: rules, no AI.
      </Alert>
    );
  const planner = models.roles.find(({ role }) => role === "planner")?.model;
  const title = models.is_demo
    ? "This is the demo model: rules, no AI"
    : `${planner === undefined ? "Your model" : nameModel(planner)} does the work`;
  return (
    <Alert
      variant="light"
      color={models.is_demo ? tone.plain : tone.atWork}
      icon={<IconCpu aria-hidden />}
      title={title}
      className="breakable"
    >
      {models.is_demo ? (
        models.about
      ) : (
        <>
          You see what each run costs.{" "}
          <AnchorLink to="/settings/models" size="sm" underline="always">
            Models
          </AnchorLink>
        </>
      )}
    </Alert>
  );
}
