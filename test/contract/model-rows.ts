// Who may call the routes of models, for the table of all routes. That changes come from the local owner only is in model-settings.test.ts.

import type { Row } from "./route-table.ts";

export const modelRows: Readonly<Record<string, Row>> = {
  "GET /api/models/settings": { need: "user read 200" },
  "POST /api/models/test": { need: "user run 200", body: () => ({ model: "demo/rules" }) },
  "PATCH /api/models/roles/{role}": { need: "admin admin 200", body: () => ({ model: "demo/rules" }) },
  "PATCH /api/models/keys/{provider}": { need: "admin admin 200", body: () => ({ key: "sk-of-a-test" }) },
  "DELETE /api/models/keys/{provider}": { need: "admin admin 200" },
};
