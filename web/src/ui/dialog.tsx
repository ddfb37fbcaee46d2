// A dialog that is there as long as it is rendered, and gives the focus back to where it was when it goes.

import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

type DialogProps = Omit<ModalProps, "opened">;

export function Dialog(props: DialogProps) {
  useFocusBack();
  return <Modal opened returnFocus={false} {...props} />;
}

/** Mantine gives it back when `opened` turns false; a dialog that is taken away whole never gets there. */
function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [before]);
}
