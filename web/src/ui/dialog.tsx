// A dialog that is there as long as it is rendered, and gives the focus back to where it was when it goes.

import { Modal, type ModalProps } from "@mantine/core";
import { useIsTopmost } from "./layers.ts";
import { useFocusBack } from "./use-focus-back.ts";

type DialogProps = Omit<ModalProps, "opened">;

export function Dialog(props: DialogProps) {
  useFocusBack();
  return <Modal opened returnFocus={false} closeOnEscape={useIsTopmost()} {...props} />;
}
