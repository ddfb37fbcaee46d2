// One server for a whole file of browser tests. Call it at the top: `const server = await fileServer();`

import { afterAll } from "vitest";
import { makeDataFolder, removeDataFolder, type Served, startServer, stopServer } from "./served.ts";

export type FileServer = Served & { readonly data: string };

export async function fileServer(settings: Readonly<Record<string, string>> = {}): Promise<FileServer> {
  const data = makeDataFolder();
  const server = await startServer(data, { settings });
  afterAll(async () => {
    await stopServer(server);
    await removeDataFolder(data);
  });
  return { ...server, data };
}
