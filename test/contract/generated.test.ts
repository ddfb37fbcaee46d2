import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generatedPages } from "../../scripts/generated-pages.ts";
import { renderSchemaTypes } from "../../scripts/schema-types.ts";
import { testDb } from "../helpers/test-db.ts";

const { adminUrl } = await testDb();

test.each(Object.entries(generatedPages))("%s is up to date (npm run generate)", (file, render) => {
  expect(readFileSync(file, "utf8")).toBe(render());
});

test("src/db/schema.ts is up to date (npm run generate)", () => {
  expect(readFileSync("src/db/schema.ts", "utf8")).toBe(renderSchemaTypes(adminUrl));
});
