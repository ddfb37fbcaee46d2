// A panel beside the page that is there as long as it is rendered, and gives the focus back to where it was when it goes.

import { Drawer, type DrawerProps } from "@mantine/core";
import { useIsTopmost } from "./layers.ts";
import { useFocusBack } from "./use-focus-back.ts";

type SidePanelProps = Omit<DrawerProps, "opened" | "position">;

export function SidePanel(props: SidePanelProps) {
  useFocusBack();
  return (
    <Drawer
      opened
      position="right"
      returnFocus={false}
      closeOnEscape={useIsTopmost()}
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ title: "dialog-title" }}
      {...props}
    />
  );
}
