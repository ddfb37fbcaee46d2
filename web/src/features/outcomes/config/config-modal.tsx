// The settings of HOMЯ for one outcome: each with what it changes and what it is by default.

import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { routes } from "../../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../../src/protocol/route.ts";
import { api } from "../../../lib/api.ts";
import { homrConfigQuery } from "../../../lib/data/homr.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { AnchorLink } from "../../../ui/links.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { showDone } from "../../../ui/toast.ts";
import { useOutcome } from "../outcome-context.tsx";
import { useOutcomeCommand } from "../use-outcome-command.ts";
import { AnswerFields, AskFields, ModelFields } from "./config-choices.tsx";
import { type ConfigDraft, changesOf, draftOfConfig, isChanged } from "./config-draft.ts";
import { NumberField, Section, SwitchField } from "./config-fields.tsx";
import { type ConfigForm, useConfigForm } from "./use-config-form.ts";

type ConfigModalProps = { readonly onClose: () => void };
type Settings = RouteResult<typeof routes.homr.config>;

export function ConfigModal({ onClose }: ConfigModalProps) {
  const { id } = useOutcome();
  const config = useQuery(homrConfigQuery(id));
  return (
    <Dialog title="HOMЯ settings" onClose={onClose} size="lg">
      <QueryView query={config}>{(settings) => <SettingsForm settings={settings} onClose={onClose} />}</QueryView>
    </Dialog>
  );
}

function SettingsForm({ settings, onClose }: ConfigModalProps & { readonly settings: Settings }) {
  const { id } = useOutcome();
  const queryClient = useQueryClient();
  const { defaults } = settings;
  const form = useConfigForm(draftOfConfig(settings));
  const save = useOutcomeCommand({
    failure: "The settings were not saved",
    send: (draft: ConfigDraft) =>
      api(routes.homr.setConfig, { params: { outcomeId: id }, body: changesOf(draft, settings) }),
    onDone: (saved) => {
      queryClient.setQueryData(homrConfigQuery(id).queryKey, saved);
      showDone("Settings saved");
      onClose();
    },
  });
  const submit = (draft: ConfigDraft) => (isChanged(changesOf(draft, settings)) ? save.mutate(draft) : onClose());
  const { enabled } = form.values;
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="lg">
        <Switch
          label={enabled ? "HOMЯ is on" : "HOMЯ is off"}
          description={
            enabled
              ? "HOMЯ watches this outcome: it checks finished tasks, passes on what was learned, corrects the course and asks you when in doubt."
              : "Workers run unobserved. What HOMЯ knows is kept."
          }
          size="md"
          {...form.getInputProps("enabled", { type: "checkbox" })}
        />
        <Fields form={form} defaults={defaults} />
        <Text size="sm">
          What HOMЯ learned across outcomes:{" "}
          <AnchorLink to="/memories" size="sm" underline="always">
            Memory
          </AnchorLink>
        </Text>
        <Group justify="space-between" className="save-bar">
          <Button variant="subtle" onClick={() => form.setValues({ ...draftOfConfig(defaults), enabled })}>
            Restore defaults
          </Button>
          <Group>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

function Fields({ form, defaults }: { readonly form: ConfigForm; readonly defaults: Settings["defaults"] }) {
  const { config } = defaults;
  return (
    <>
      <Section title="Checking results">
        <SwitchField form={form} name="observe_after_every_task" defaults={config} />
        <ModelFields form={form} defaults={defaults} />
      </Section>
      <Section title="Correcting the course">
        <SwitchField form={form} name="auto_create_corrective_tasks" defaults={config} />
        <SwitchField form={form} name="auto_adjust_priority" defaults={config} />
        <NumberField form={form} name="max_steering_actions_per_task" defaults={config} />
      </Section>
      <Section title="Questions">
        <SwitchField form={form} name="auto_escalate" defaults={config} />
        <AskFields form={form} defaults={defaults} />
        <SwitchField form={form} name="pause_on_escalation" defaults={config} />
        <AnswerFields form={form} defaults={defaults} />
      </Section>
      <Section title="When work keeps failing">
        <NumberField form={form} name="failure_patterns.consecutive_failure_threshold" defaults={config} />
        <NumberField form={form} name="failure_patterns.lookback_count" defaults={config} />
        <NumberField form={form} name="failure_patterns.healthy_alignment_threshold" defaults={config} />
      </Section>
      <Section title="What HOMЯ remembers">
        <NumberField form={form} name="max_discoveries" defaults={config} />
        <NumberField form={form} name="context_compaction_threshold" defaults={config} />
        <NumberField form={form} name="max_context_size" defaults={config} />
      </Section>
    </>
  );
}
