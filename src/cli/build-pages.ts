// The pages of a clone that was never built are built before they are served. Pages that are older than their sources are served as they
// are: a server in use does not wait for a build at every start.

import type { Output } from "./output.ts";
import type { WebPort } from "./ports.ts";

/** `again`: the command that builds them anew. */
export async function buildMissingPages(
  web: WebPort,
  output: Output,
  signal: AbortSignal,
  again: string,
): Promise<void> {
  if (web.isBuilt()) {
    if ((await web.whyStale()) !== null)
      output.say(`The web pages are older than their sources; \`${again}\` builds them again.`);
  } else if (web.canBuild()) {
    output.say("Building the web pages, once…");
    await web.build(signal);
  } else
    output.warn("There are no web pages, and what builds them is not installed: run `npm ci && npm run build` first.");
}
