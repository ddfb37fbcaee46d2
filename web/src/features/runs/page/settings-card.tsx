// What a run was handed over with: who works on it, where, and what it has to ask about.

import { Text } from "@mantine/core";
import { Card } from "../../../ui/card.tsx";
import { useRun } from "../run-context.tsx";
import { settingsOf } from "./settings-words.ts";

export function SettingsCard() {
  const { run } = useRun();
  return (
    <Card title="Settings">
      <dl className="run-settings">
        {settingsOf(run).map(({ name, value }) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} size="sm" className="breakable">
              {value}
            </Text>
          </div>
        ))}
      </dl>
    </Card>
  );
}
