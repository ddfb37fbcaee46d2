// A button that says what it will do, or why it cannot be used now. One that is off stays reachable, so that the reason is too.

import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";

type ControlButtonProps = Omit<ButtonProps, "disabled"> & {
  readonly says: string;
  /** Why it is off; null: it is not. */
  readonly offBecause: string | null;
  readonly onClick?: () => void;
  readonly type?: "button" | "submit";
  readonly children: ReactNode;
};

export function ControlButton({ says, offBecause, onClick, type = "button", ...rest }: ControlButtonProps) {
  const isOff = offBecause !== null;
  return (
    <Tooltip label={offBecause ?? says} multiline maw={300} events={{ hover: true, focus: true, touch: false }}>
      <Button
        {...rest}
        type={type}
        aria-description={offBecause ?? says}
        {...(isOff ? { "data-disabled": true, "aria-disabled": true } : {})}
        onClick={(event) => {
          if (isOff) event.preventDefault();
          else onClick?.();
        }}
      />
    </Tooltip>
  );
}
