// Which model a role asks: chosen by those who may, read by everyone else.

import { Group, Paper, Select, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../../lib/api.ts";
import { showDone } from "../../ui/toast.ts";
import { automatic, listChoices, type ModelSettings, type RoleSetting, roleWords, splitModel } from "./model-words.ts";
import { useKeepModelSettings } from "./settings-queries.ts";

type RoleModelRowProps = { readonly role: RoleSetting; readonly settings: ModelSettings };

export function RoleModelRow({ role, settings }: RoleModelRowProps) {
  const { label, about } = roleWords[role.role];
  const [first = "", ...fallbacks] = role.models;
  const isFixed = !settings.may_change || role.locked_by !== null;
  return (
    <Paper component="li" withBorder className="row">
      <Group justify="space-between" gap="sm">
        <div className="row-text">
          <Text fw={600}>{label}</Text>
          <Text size="sm" c="dimmed" className="breakable">
            {about}
            {fallbacks.length > 0
              ? ` · If it fails: ${fallbacks.map((model) => splitModel(model).name).join(", ")}`
              : ""}
            {settings.may_change && role.locked_by !== null ? ` · Set by ${role.locked_by}` : ""}
          </Text>
        </div>
        {isFixed ? (
          <Text size="sm" className="breakable">
            {splitModel(first).name}
          </Text>
        ) : (
          <RoleSelect role={role} settings={settings} label={`Model of ${label}`} />
        )}
      </Group>
    </Paper>
  );
}

function RoleSelect({ role, settings, label }: RoleModelRowProps & { readonly label: string }) {
  const keep = useKeepModelSettings();
  const choose = useMutation({
    mutationFn: (model: string) =>
      api(routes.models.setRole, {
        params: { role: role.role },
        body: { model: model === automatic ? null : model },
      }),
    onSuccess: (changed) => {
      keep(changed);
      showDone("Default model saved");
    },
  });
  return (
    <Select
      aria-label={label}
      className="role-model"
      allowDeselect={false}
      searchable
      data={listChoices(role, settings.models)}
      value={role.is_set ? (role.models[0] ?? automatic) : automatic}
      onChange={(model) => model !== null && choose.mutate(model)}
    />
  );
}
