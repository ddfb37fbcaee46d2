// The models of this installation: which were found and what they cost, which one each role asks, and the keys of providers.

import { Alert, Anchor, Stack, Text, Title } from "@mantine/core";
import { IconInfoCircle, IconRobot } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { tone } from "../../lib/tones.ts";
import { EmptyNotice } from "../../ui/empty-notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { ModelRow } from "./model-row.tsx";
import "./settings.css";
import { type ModelSettings, splitModel } from "./model-words.ts";
import { ProviderKeyRow } from "./provider-key-row.tsx";
import { RoleModelRow } from "./role-model-row.tsx";
import { modelSettingsQuery } from "./settings-queries.ts";

export function ModelsPage() {
  const settings = useQuery(modelSettingsQuery);
  usePageTitle("Models", "Settings");
  return (
    <>
      <PageHeader title="Models" />
      <QueryView query={settings}>
        {(data) => (
          <Stack gap="xl">
            {data.notice === null ? null : (
              <Alert color={tone.plain} icon={<IconInfoCircle aria-hidden />} className="breakable">
                {data.notice}
              </Alert>
            )}
            {data.is_demo ? <DemoNotice settings={data} /> : null}
            <Found settings={data} />
            <Roles settings={data} />
            {data.may_change ? <Keys settings={data} /> : null}
            {data.who_may_change === null ? null : (
              <Text size="sm" c="dimmed" maw={640}>
                {data.who_may_change}
              </Text>
            )}
          </Stack>
        )}
      </QueryView>
    </>
  );
}

type SettingsProps = { readonly settings: ModelSettings };

function DemoNotice({ settings: { may_change: mayChange } }: SettingsProps) {
  return (
    <EmptyNotice icon={<IconRobot aria-hidden />} title="No AI model found">
      Only the demo model is here. It follows rules and is no AI.{" "}
      {mayChange
        ? "Save a provider key below, or start a local model server such as Ollama and reload this page."
        : "To use real models, set a provider key or start a local model server such as Ollama."}
    </EmptyNotice>
  );
}

function Found({ settings: { models } }: SettingsProps) {
  return (
    <Section title="Available models" about="A test asks the model one short question.">
      {models.map((model) => (
        <ModelRow key={model.id} model={model} />
      ))}
    </Section>
  );
}

function Roles({ settings }: SettingsProps) {
  return (
    <Section title="Default models" about={describeRoles(settings)}>
      {settings.roles.map((role) => (
        <RoleModelRow key={role.role} role={role} settings={settings} />
      ))}
    </Section>
  );
}

function Keys({ settings: { keys, config_file: file } }: SettingsProps) {
  return (
    <Section
      title="Provider keys"
      about="Keys are never shown again. A new key is used at once."
      more={`Saved in ${file}, readable only by its owner. Separate worker processes need a restart.`}
    >
      {keys.map((key) => (
        <ProviderKeyRow key={key.provider} providerKey={key} />
      ))}
    </Section>
  );
}

/** The common case in a sentence, so that seven rows need not be compared. */
function describeRoles({ roles }: ModelSettings): string {
  const names = new Set(roles.map(({ models: [first = ""] }) => splitModel(first).name));
  const [only] = names;
  if (names.size === 1 && only !== undefined && only !== "")
    return `Everything uses ${only}. A run can name another model.`;
  return "Which model does which part of the work. A run can name another model.";
}

type SectionProps = {
  readonly title: string;
  readonly about?: string;
  /** For someone who looks for the file. */
  readonly more?: string;
  readonly children: ReactNode;
};

function Section({ title, about, more, children }: SectionProps) {
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <Title order={2} size="h4" mb={about === undefined ? 0 : -8}>
        {title}
      </Title>
      {about === undefined ? null : (
        <Text size="sm" c="dimmed" className="breakable">
          {about}
        </Text>
      )}
      <Stack component="ul" gap="xs" className="plain-list">
        {children}
      </Stack>
      {more === undefined ? null : (
        <details>
          <Anchor component="summary" size="sm" w="fit-content">
            Where keys are saved
          </Anchor>
          <Text size="sm" c="dimmed" mt={4} className="breakable">
            {more}
          </Text>
        </details>
      )}
    </Stack>
  );
}
