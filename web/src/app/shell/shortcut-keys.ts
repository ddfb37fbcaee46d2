// Which keys do what on every page, and which command the keys pressed so far mean. Pure.

export type Command = "palette" | "shortcuts" | "new_run" | "home" | "outcomes" | "projects" | "chat";

/** `keys`: pressed one after the other. */
export type Shortcut = { readonly keys: readonly string[]; readonly command: Command; readonly says: string };

/** Ctrl+K is bound by the palette itself. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ["Ctrl K"], command: "palette", says: "Search, or run a command" },
  { keys: ["?"], command: "shortcuts", says: "Show keyboard shortcuts" },
  { keys: ["n"], command: "new_run", says: "New run" },
  { keys: ["g", "h"], command: "home", says: "Go to home" },
  { keys: ["g", "o"], command: "outcomes", says: "Go to outcomes" },
  { keys: ["g", "p"], command: "projects", says: "Go to projects" },
  { keys: ["g", "c"], command: "chat", says: "Go to chat" },
];

/** `pressed` is what the next key is added to; empty where it cannot become a shortcut any more. */
export function readKeys(
  pressed: readonly string[],
  key: string,
): { pressed: readonly string[]; command: Command | null } {
  const both = [...pressed, key];
  const found = shortcuts.find(({ keys }) => keys.join(" ") === both.join(" "));
  if (found) return { pressed: [], command: found.command };
  if (shortcuts.some(({ keys }) => keys.length > both.length && both.every((each, at) => keys[at] === each)))
    return { pressed: both, command: null };
  return pressed.length === 0 ? { pressed: [], command: null } : readKeys([], key);
}
