// One server for a whole file of browser tests. Call it at the top: `const server = await fileServer();`

import { afterAll } from "vitest";
import { removeDataFolder, type Serving } from "./served.ts";
import { startHosted, stopHosted } from "./server-hosts.ts";
import { copyUsedDataFolder } from "./used-data-folder.ts";

export type FileServer = Serving & { readonly data: string };

export async function fileServer(settings: Readonly<Record<string, string>> = {}): Promise<FileServer> {
  const data = copyUsedDataFolder();
  const server = await startHosted(data, { settings });
  afterAll(async () => {
    await stopHosted(data);
    await removeDataFolder(data);
  });
  return { ...server, data };
}
