// Files with the same name get a number, so that none replaces another in a folder. Pure.

import type { RunFile } from "./run-files.ts";

/** With the ending `.md`; capitals make no difference to Windows and macOS. */
export function nameApart(files: readonly RunFile[]): readonly RunFile[] {
  const taken = new Set<string>();
  return files.map(({ name, ...file }) => {
    let tried = `${name}.md`;
    for (let number = 2; taken.has(tried.toLowerCase()); number++) tried = `${name} ${number}.md`;
    taken.add(tried.toLowerCase());
    return { ...file, name: tried };
  });
}
