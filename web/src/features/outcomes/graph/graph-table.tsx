// What the picture of dependencies draws, as a table; also what the picture leaves out because other arrows imply it.

import { Anchor, Table } from "@mantine/core";
import { useState } from "react";
import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { outcomeTaskWords } from "../../../../../src/protocol/words/outcome.ts";
import { AnchorLink } from "../../../ui/links.tsx";
import { listNumbers } from "../tasks/task-words.ts";

export function GraphTable({ tasks }: { readonly tasks: readonly OutcomeTask[] }) {
  const [isShown, setShown] = useState(false);
  return (
    <div>
      <Anchor component="button" type="button" size="sm" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? "Hide the table" : "Show dependencies as a table"}
      </Anchor>
      {isShown ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section className="scroll-x" tabIndex={0} aria-label="Dependencies as a table">
          <Table fz="sm" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Task</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>Waits for</Table.Th>
                <Table.Th>Needed by</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {tasks.map((task) => (
                <Row key={task.id} task={task} tasks={tasks} />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ) : null}
    </div>
  );
}

function Row({ task, tasks }: { readonly task: OutcomeTask; readonly tasks: readonly OutcomeTask[] }) {
  const before = tasks.filter(({ id }) => task.depends_on.includes(id));
  const after = tasks.filter(({ depends_on: dependsOn }) => dependsOn.includes(task.id));
  return (
    <Table.Tr>
      <Table.Td miw={180}>
        <AnchorLink to="." search={(old) => ({ ...old, task: task.id })} resetScroll={false} size="sm" dir="auto">
          #{task.number} {task.title}
        </AnchorLink>
      </Table.Td>
      <Table.Td>{outcomeTaskWords[task.status]}</Table.Td>
      <Table.Td>{listNumbers(before) || "–"}</Table.Td>
      <Table.Td>{listNumbers(after) || "–"}</Table.Td>
    </Table.Tr>
  );
}
