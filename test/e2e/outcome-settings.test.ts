// The settings of HOMЯ for an outcome, every one of them, and the memory of what was learnt across outcomes.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe } from "../helpers/browser.ts";
import { outcomePages } from "../helpers/outcome-pages.ts";

const pages = await outcomePages();

async function openSettings(outcomeId: string): Promise<Page> {
  const page = await pages.open(outcomeId, "?settings=true");
  await settings(page).getByRole("button", { name: "Save" }).waitFor();
  return page;
}
const settings = (page: Page) => page.getByRole("dialog", { name: "HOMЯ settings" });
const configOf = (outcomeId: string) => pages.api(routes.homr.config, { params: { outcomeId } });

async function choose(page: Page, label: string, option: string): Promise<void> {
  await settings(page)
    .getByRole("combobox", { name: label })
    .or(settings(page).getByRole("textbox", { name: label }))
    .first()
    .click();
  await page.getByRole("option", { name: option }).click();
}

const numbers = {
  "Changes per finished task": 2,
  "Failures in a row": 4,
  "Attempts to look back at": 7,
  "Lowest healthy score": 40,
  "Discoveries to keep": 30,
  "Notes to keep": 60,
  "Notes in a prompt, in characters": 9_000,
};
const switches = [
  "Check every finished task",
  "Add tasks",
  "Change priorities",
  "Ask me",
  "Pause affected tasks until I answer",
];

test("every setting is changed, kept, and put back to its default", async () => {
  const { id } = await pages.make([{ title: "Choose lamps" }]);
  const page = await openSettings(id);
  await settings(page)
    .getByText(/Default: 50,000\./)
    .waitFor();
  await expectNoSeriousAxe(page);
  for (const name of switches) await settings(page).getByRole("switch", { name }).click({ force: true });
  for (const [name, value] of Object.entries(numbers))
    await settings(page).getByLabel(name, { exact: true }).fill(String(value));
  await choose(page, "Model for checks", "Another model");
  await settings(page).getByLabel("Name of the model").fill("openrouter/lab/observer");
  await choose(page, "How soon HOMЯ asks", "Seldom: only for strong doubts");
  await choose(page, "Who answers", "A model answers if it is sure enough");
  await settings(page).getByLabel("How sure the model has to be").fill("95");
  await settings(page).getByRole("button", { name: "Save" }).click();
  await settings(page).waitFor({ state: "detached" });
  const { config, auto_resolve: auto, defaults } = await configOf(id);
  expect(config).toEqual({
    enabled: true,
    observe_after_every_task: false,
    observation_model: "openrouter/lab/observer",
    auto_create_corrective_tasks: false,
    auto_adjust_priority: false,
    max_steering_actions_per_task: 2,
    auto_escalate: false,
    escalation_threshold: "high",
    pause_on_escalation: false,
    max_discoveries: 30,
    context_compaction_threshold: 60,
    max_context_size: 9_000,
    failure_patterns: { lookback_count: 7, consecutive_failure_threshold: 4, healthy_alignment_threshold: 40 },
  });
  expect(auto).toMatchObject({ mode: "full_auto", threshold: 0.95 });
  await page.goto(`/outcomes/${id}?settings=true`);
  await expect.poll(() => settings(page).getByLabel("Discoveries to keep").inputValue()).toBe("30");
  await settings(page).getByRole("button", { name: "Restore defaults" }).click();
  await settings(page).getByRole("button", { name: "Save" }).click();
  await settings(page).waitFor({ state: "detached" });
  const after = await configOf(id);
  expect([after.config, after.auto_resolve]).toEqual([defaults.config, defaults.auto_resolve]);
});

test("figures out of bounds are refused where they stand, and nothing is sent", async () => {
  const { id } = await pages.make([{ title: "Choose lamps" }]);
  const page = await openSettings(id);
  await settings(page).getByLabel("Discoveries to keep").fill("0");
  await settings(page).getByLabel("Notes in a prompt, in characters").fill("");
  await settings(page).getByRole("button", { name: "Save" }).click();
  await settings(page).getByText("A whole number from 1 to 500").waitFor();
  await settings(page).getByText("A whole number from 1,000 to 200,000").waitFor();
  await expectNoSeriousAxe(page);
  expect((await configOf(id)).config.max_discoveries).toBe(50);
});

test("a model that cannot be asked is refused, with what to do", async () => {
  const { id } = await pages.make([{ title: "Choose lamps" }]);
  const page = await openSettings(id);
  await choose(page, "Model for checks", "Another model");
  await settings(page).getByLabel("Name of the model").fill("lab/observer");
  await settings(page).getByRole("button", { name: "Save" }).click();
  await page.getByText(/lab\/observer has no provider that is known here\. Name models as provider\/model/).waitFor();
  expect((await configOf(id)).config.observation_model).not.toBe("lab/observer");
});

test("HOMЯ is switched off and on", async () => {
  const { id } = await pages.make([{ title: "Choose lamps" }]);
  const page = await openSettings(id);
  await settings(page).getByRole("switch", { name: "HOMЯ is on" }).click({ force: true });
  await settings(page).getByText("Workers run unobserved. What HOMЯ knows is kept.").waitFor();
  await settings(page).getByRole("button", { name: "Save" }).click();
  await settings(page).waitFor({ state: "detached" });
  expect((await configOf(id)).config.enabled).toBe(false);
  await page.goto(`/outcomes/${id}?settings=true`);
  await settings(page).getByRole("switch", { name: "HOMЯ is off" }).click({ force: true });
  await settings(page).getByRole("button", { name: "Save" }).click();
  await settings(page).waitFor({ state: "detached" });
  expect((await configOf(id)).config.enabled).toBe(true);
});

const memories = (page: Page) => page.getByRole("list", { name: "Memories" }).getByRole("listitem");

test("a memory says where it was learnt and whether it helped; it is found, corrected and deleted", async () => {
  await pages.insert({ name: "Night shop" });
  const page = await pages.openAt("/memories");
  await expect.poll(() => memories(page).count()).toBe(2);
  await memories(page)
    .first()
    .getByText(/Not used yet, 80% trusted/)
    .waitFor();
  await memories(page).first().getByRole("link", { name: "Night shop" }).waitFor();
  await expectNoSeriousAxe(page);
  await memories(page).first().getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit memory" });
  await dialog.getByLabel("What was learned").fill("Too short");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("At least 20 characters").waitFor();
  await dialog.getByLabel("What was learned").fill("The gateway allows ten payments a minute");
  await dialog
    .getByRole("combobox", { name: "Importance" })
    .or(dialog.getByRole("textbox", { name: "Importance" }))
    .first()
    .click();
  await page.getByRole("option", { name: "Critical" }).click();
  await expectNoSeriousAxe(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const mended = memories(page).filter({ hasText: "ten payments a minute" });
  await mended.getByText("Critical importance").waitFor();
  await page.getByLabel("Search").fill("payments minute");
  await expect.poll(() => memories(page).count()).toBe(1);
  await mended.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete memory" }).click();
  await page.getByText("Nothing found").waitFor();
  await page.getByLabel("Search").fill("");
  await expect.poll(() => memories(page).count()).toBe(1);
});
