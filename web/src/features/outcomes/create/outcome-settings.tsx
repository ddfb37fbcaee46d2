// Where an outcome's tasks work, who does them, how many at once, and what all of it may cost.

import { Button, Collapse, Input, NativeSelect, NumberInput, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useId } from "react";
import { modelsQuery } from "../../../lib/data/runs.ts";
import type { NewOutcome } from "./new-outcome.ts";

const ProjectPicker = lazy(async () => ({
  default: (await import("../../../ui/composer/project-picker.tsx")).ProjectPicker,
}));

type OutcomeSettingsProps = { readonly value: NewOutcome; readonly onChange: (part: Partial<NewOutcome>) => void };

export function OutcomeSettings({ value, onChange }: OutcomeSettingsProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const Icon = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <div>
      <Button
        variant="subtle"
        px="xs"
        aria-expanded={isOpen}
        aria-controls={id}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={toggle}
      >
        Settings
      </Button>
      <Collapse expanded={isOpen} id={id}>
        <Stack gap="sm" pt="xs">
          {value.mode === "brief" ? (
            <TextInput
              label="Name"
              placeholder="Taken from the brief"
              maxLength={300}
              dir="auto"
              value={value.name}
              onChange={(event) => onChange({ name: event.currentTarget.value })}
            />
          ) : null}
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Input.Wrapper label="Project">
              <Suspense fallback={null}>
                <ProjectPicker
                  isMany={false}
                  value={value.projectId === null ? [] : [value.projectId]}
                  onChange={([projectId = null]) => onChange({ projectId })}
                  error={null}
                />
              </Suspense>
            </Input.Wrapper>
            <EngineField value={value} onChange={onChange} />
            <NativeSelect
              label="Tasks at once"
              data={["1", "2", "3"]}
              value={String(value.workers)}
              onChange={(event) => onChange({ workers: Number(event.currentTarget.value) })}
            />
            <NumberInput
              label="Cost limit in dollars"
              placeholder="No limit"
              prefix="$"
              min={0.01}
              decimalScale={2}
              hideControls
              value={value.maxCostUsd}
              onChange={(maxCostUsd) => onChange({ maxCostUsd: typeof maxCostUsd === "number" ? maxCostUsd : "" })}
            />
          </SimpleGrid>
        </Stack>
      </Collapse>
    </div>
  );
}

/** The planner, and the agents that were found on the server's machine. */
function EngineField({ value, onChange }: OutcomeSettingsProps) {
  const models = useQuery(modelsQuery).data;
  const names = models?.agents ?? [];
  const usual = models?.is_demo && names.length > 0 ? "agent" : "planner";
  useEffect(() => {
    if (value.engine === "" && usual === "agent") onChange({ engine: usual });
  }, [value.engine, usual, onChange]);
  const agents = names.length === 0 ? "Agent (none installed)" : `Agent (${names.join(", ")})`;
  return (
    <>
      <NativeSelect
        label="Engine"
        data={[
          { value: "planner", label: models?.is_demo ? "Planner (demo model)" : "Planner (built in)" },
          { value: "agent", label: agents, disabled: names.length === 0 },
        ]}
        value={value.engine === "" ? usual : value.engine}
        onChange={(event) => onChange({ engine: event.currentTarget.value === "agent" ? "agent" : "planner" })}
      />
      {value.engine === "agent" ? (
        <TextInput
          label="Git repository"
          description="Absolute path on the server"
          value={value.workFolder}
          onChange={(event) => onChange({ workFolder: event.currentTarget.value })}
        />
      ) : null}
    </>
  );
}
