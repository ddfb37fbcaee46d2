// Listens for the keyboard shortcuts of `shortcut-keys.ts` on every page. Keys that something else uses are left alone: fields, menus,
// lists and trees, and whatever is in a dialog.

import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { areSingleKeysOn } from "../../lib/single-keys.ts";
import { type Command, readKeys } from "./shortcut-keys.ts";
import { openShortcuts } from "./shortcuts-dialog.tsx";

/** The second key has to come before that. */
const togetherMs = 1_500;

const ownKeys =
  'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="tree"], [role="combobox"]';

export function useShortcuts(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const commands: Readonly<Record<Command, () => void>> = {
      // The palette listens itself.
      palette: () => {},
      shortcuts: openShortcuts,
      new_run: () => void navigate({ to: "/homework", hash: "new" }),
      home: () => void navigate({ to: "/homework" }),
      outcomes: () => void navigate({ to: "/outcomes" }),
      projects: () => void navigate({ to: "/projects" }),
      chat: () => void navigate({ to: "/chat" }),
    };
    let pressed: readonly string[] = [];
    let lastAtMs = 0;
    const listen = (event: KeyboardEvent) => {
      if (!isFree(event) || !areSingleKeysOn()) return;
      const read = readKeys(event.timeStamp - lastAtMs > togetherMs ? [] : pressed, event.key);
      pressed = read.pressed;
      lastAtMs = event.timeStamp;
      if (read.command === null) return;
      event.preventDefault();
      commands[read.command]();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [navigate]);
}

function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.target instanceof Element && event.target.closest(ownKeys) !== null) return false;
  return document.querySelector('[role="dialog"]') === null;
}
