// Settings → Models on a local installation: its owner begins with the demo model and ends with a key, a tested model and a default.

import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { fileServer } from "../helpers/file-server.ts";
import { walkWithTab } from "../helpers/keyboard-walk.ts";
import { ownerSession } from "../helpers/web-session.ts";
import { startLab } from "../lab/lab.ts";

const lab = await startLab({ script: () => ({ text: "ready", usage: { input: 1_000, output: 100 } }) });
afterAll(lab.close);
const server = await fileServer({ HOMEWORK_ANTHROPIC_BASE_URL: lab.baseUrl("anthropic") });
const owner = await ownerSession(server);
const browser = await testBrowser();

const key = "sk-ant-typed-by-the-owner-5d2e";
const configFile = path.join(server.data, ".config", "homework", "config.json");
const configOf = () => JSON.parse(readFileSync(configFile, "utf8"));
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

async function openModels(): Promise<Page> {
  const { page } = await browser.open(server.url, { viewport: desktop, ...owner.profile });
  await page.goto("/settings/models");
  await page.getByRole("region", { name: "Available models" }).waitFor();
  return page;
}

/** In light, in the dark, on a phone and without a mouse. */
async function expectFit(page: Page): Promise<void> {
  await expectNoSeriousAxe(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await expectNoSeriousAxe(page, { onlyRules: ["color-contrast"] });
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor();
  await page.setViewportSize(phone);
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(phone.width);
  await page.setViewportSize(desktop);
  const { missed, unseen } = await walkWithTab(page);
  expect({ missed, unseen }).toEqual({ missed: [], unseen: [] });
}

test("the owner saves a key, tests a model, chooses a default, and takes both back", async () => {
  const page = await openModels();
  await page.getByText("No AI model found").waitFor();
  await expectFit(page);

  await page.getByLabel("Key for Anthropic", { exact: true }).fill(key);
  await page.getByRole("button", { name: "Save the key for Anthropic" }).click();
  await page.getByText("Saved, ends in 5d2e").waitFor();
  await page.getByText("No AI model found").waitFor({ state: "detached" });
  expect([configOf(), statSync(configFile).mode & 0o777]).toEqual([{ anthropic_api_key: key }, 0o600]);
  expect(await page.content()).not.toContain(key);

  await page.getByRole("button", { name: "Test Claude Sonnet 5.5" }).click();
  await page.getByText(/^Works, \d+\.\d s · less than \$0\.01$/).waitFor();

  await page.getByRole("combobox", { name: "Model of Judge" }).click();
  await page.getByRole("option", { name: "Claude Haiku 5.5 · Anthropic" }).click();
  await page.getByText("Default model saved").first().waitFor();
  expect(configOf().model_judge).toEqual(["anthropic/claude-haiku-5-5"]);
  await expectFit(page);

  await page.getByRole("combobox", { name: "Model of Judge" }).click();
  await page.getByRole("option", { name: /^Automatic/ }).click();
  await expect.poll(() => configOf().model_judge).toBeUndefined();
  await page.getByRole("button", { name: "Remove the key for Anthropic" }).click();
  await page.getByRole("button", { name: "Remove key", exact: true }).click();
  await page.getByText("No AI model found").waitFor();
  expect(configOf()).toEqual({});
});

test("what was changed is in the audit, and what a test cost is in the quotas", async () => {
  const page = await openModels();
  const settings = page.getByRole("navigation", { name: "Settings" });
  await settings.getByRole("link", { name: "Audit" }).click();
  const saved = page.getByRole("listitem").filter({ hasText: "saved the model key of Anthropic" });
  await saved.first().waitFor();
  expect(await page.content()).not.toContain(key);
  await settings.getByRole("link", { name: "Quotas" }).click();
  await page.getByRole("row").filter({ hasText: "0 of 3" }).filter({ hasText: "less than $0.01" }).waitFor();
  await expectFit(page);
});
