// The pages of docs/ that are made from the code alone.

import { renderAgentReference } from "../src/cli/agents/reference.ts";
import { renderCliReference } from "../src/cli/reference.ts";
import { renderConfigReference } from "../src/main/config-reference.ts";
import { renderHttpReference } from "./http-reference.ts";

export const generatedPages: Readonly<Record<string, () => string>> = {
  "docs/cli.md": renderCliReference,
  "docs/config.md": renderConfigReference,
  "docs/http-api.md": renderHttpReference,
  "docs/run-agent-cli.md": renderAgentReference,
};
