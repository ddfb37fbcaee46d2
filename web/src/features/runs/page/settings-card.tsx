// What a run was handed over with: who works on it, where, and what it has to ask about.

import { Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { projectQuery } from "../../../lib/data/projects.ts";
import { Card } from "../../../ui/card.tsx";
import { ForeignTexts } from "../../../ui/foreign-texts.tsx";
import { useRun } from "../run-context.tsx";
import { settingsOf } from "./settings-words.ts";

/** More than these are counted; each is a request. */
const namedMax = 5;

export function SettingsCard() {
  const { run } = useRun();
  const found = useQueries({ queries: run.project_ids.slice(0, namedMax).map((id) => projectQuery(id)) });
  const projects = found.flatMap(({ data }) => (data === undefined ? [] : [data.name]));
  return (
    <Card title="Settings">
      <dl className="run-settings">
        {settingsOf(run, projects).map(({ name, value }) => (
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
      <ForeignTexts texts={run.foreign_texts} />
    </Card>
  );
}
