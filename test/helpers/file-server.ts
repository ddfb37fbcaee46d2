// One server for a whole file of browser tests. Call it at the top: `const server = await fileServer();`

import { afterAll } from "vitest";
import { removeDataFolder, type Served, startServer, stopServer } from "./served.ts";
import { copyUsedDataFolder } from "./used-data-folder.ts";

export type FileServer = Served & { readonly data: string };

export async function fileServer(settings: Readonly<Record<string, string>> = {}): Promise<FileServer> {
  const data = copyUsedDataFolder();
  const server = await startServer(data, { settings });
  afterAll(async () => {
    await stopServer(server);
    await removeDataFolder(data);
  });
  return { ...server, data };
}
