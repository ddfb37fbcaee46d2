// The files that are made from the code alone: pages of docs/, and the catalogues of words.

import { renderAgentReference } from "../src/cli/agents/reference.ts";
import { renderCliReference } from "../src/cli/reference.ts";
import { renderConfigReference } from "../src/main/config-reference.ts";
import { renderHttpReference } from "./http-reference.ts";
import { renderCatalogue } from "./word-catalogues.ts";

export const generatedPages: Readonly<Record<string, () => string>> = {
  "docs/cli.md": renderCliReference,
  "docs/config.md": renderConfigReference,
  "docs/http-api.md": renderHttpReference,
  "docs/run-agent-cli.md": renderAgentReference,
  "words/pages.en.json": () => renderCatalogue("pages"),
  "words/terminal.en.json": () => renderCatalogue("terminal"),
};
