// The dialog with all keyboard shortcuts, opened with `?`, from the user's menu and from the palette.

import { Group, Kbd, Switch, Table } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { modals } from "@mantine/modals";
import { singleKeysKey } from "../../lib/single-keys.ts";
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
      <SingleKeysSwitch />
    </>
  );
}

function SingleKeysSwitch() {
  const [isOn, setOn] = useLocalStorage({ key: singleKeysKey, defaultValue: true, getInitialValueInEffect: false });
  return (
    <Switch
      mt="md"
      label="Single-key shortcuts"
      description="Off while you type. Saved on this device; Ctrl K always works."
      checked={isOn}
      onChange={(event) => setOn(event.currentTarget.checked)}
    />
  );
}
