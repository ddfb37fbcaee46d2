// The dialog with all keyboard shortcuts, opened with `?`, from the user's menu and from the palette.

import { Group, Kbd, Table, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { enterLayer } from "../../ui/layers.ts";
import { shortcuts } from "./shortcut-keys.ts";

export function openShortcuts(): void {
  modals.open({ title: "Keyboard shortcuts", children: <ShortcutTable />, onClose: enterLayer() });
}

function ShortcutTable() {
  return (
    <>
      <Table>
        <Table.Tbody>
          {shortcuts.map(({ keys, says }) => (
            <Table.Tr key={says}>
              <Table.Td>{says}</Table.Td>
              <Table.Td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  {keys.map((key, at) => (
                    <span key={key} className="unbroken">
                      {at > 0 ? "then " : ""}
                      <Kbd>{key}</Kbd>
                    </span>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="sm">
        Single keys do nothing while you type in a field.
      </Text>
    </>
  );
}
