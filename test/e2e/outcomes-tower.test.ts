// The control tower of an outcome: questions and every way to answer them, guidance, the log with its reasons and receipts, and how
// the bell and the search lead there.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Escalation, routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import {
  createOutcome,
  isAboutTask,
  openDecision,
  outcomeScript,
  readOutcome,
  untilOutcome,
} from "../helpers/outcome-lab.ts";
import { runLabServer } from "../helpers/run-lab-server.ts";
import { askingScript, endlessScript, hallScript } from "../helpers/run-scenes.ts";
import { accountsSettings, type Person, signUp } from "../helpers/web-session.ts";

const lab = await runLabServer(accountsSettings);
const browser = await testBrowser();
const { url } = lab.server();
lab.script("", outcomeScript());
lab.script("that never ends", outcomeScript({ work: endlessScript }));
/** The first task leaves a decision open, which the second needs. */
lab.script(
  "with a decision",
  outcomeScript({ observe: (prompt) => (isAboutTask(prompt, 1) ? { ambiguity: openDecision } : {}) }),
);
lab.script(
  "that asks",
  outcomeScript({
    work: askingScript([{ text: "Which colour shall it be?", options: ["Red", "Blue"] }], hallScript(1)),
  }),
);
lab.script(
  "with a discovery",
  outcomeScript({
    observe: (prompt) =>
      isAboutTask(prompt, 1)
        ? {
            ...{ onTrack: false, alignmentScore: 62, quality: "needs_work", summary: "The page is too long." },
            drift: [
              { type: "scope_creep", description: "It has a blog.", severity: "medium", evidence: "our blog says" },
            ],
            discoveries: [
              { type: "constraint", content: "Pages load only below 200 kB", relevantTasks: ["*"], source: "the log" },
            ],
          }
        : {},
  }),
);

let people = 0;
function newPerson(): Promise<Person> {
  people += 1;
  return signUp(lab.server(), `Keeper${people} of Towers`);
}

async function open(person: Person, path: string): Promise<Page> {
  const { page, tolerate } = await browser.open(url, person.profile);
  tolerate(/status of 409/);
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  return page;
}

const region = (page: Page, name: string | RegExp) => page.getByRole("region", { name, exact: true });
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole("button", { name, exact: true });
const question = (page: Page) => region(page, "How shall people get in touch?");

type Asked = { readonly person: Person; readonly id: string; readonly escalation: Escalation };

/** An outcome whose second task waits for an answer. */
async function askedOutcome(more: Parameters<typeof createOutcome>[1] = {}): Promise<Asked> {
  const person = await newPerson();
  const { id } = await createOutcome(person.api, { name: "A café with a decision", start: true, ...more });
  await untilOutcome(person.api, id, (outcome) => outcome.open_escalations > 0);
  const { items } = await person.api(routes.escalations.list, { params: { outcomeId: id }, query: {} });
  const [escalation] = items;
  if (escalation === undefined) throw new Error("nothing was asked");
  return { person, id, escalation };
}

const readAnswer = async ({ person, id, escalation }: Asked) =>
  person.api(routes.escalations.get, { params: { outcomeId: id, escId: escalation.id } });

test("a question rings, leads to its place, names options with what follows, and its answer lets the work go on", async () => {
  const person = await newPerson();
  const page = await open(person, "/projects");
  const { id } = await createOutcome(person.api, { name: "A café with a decision", start: true });
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("link", { name: /Outcomes ?1 needs you/ }).waitFor();
  await button(page, "Notifications, 1 unread").click();
  await page.getByRole("menuitem", { name: "HOMЯ needs your decision" }).click();
  await page.waitForURL(`**/outcomes/${id}?escalation=*`);
  await button(page, "Notifications").waitFor();
  const card = question(page);
  await card.getByText("Takes a day longer and needs a mail server.").waitFor();
  await card.getByText("Paused until you answer: task #2. Other tasks go on.").waitFor();
  await button(card, "Show the evidence").click();
  await card.getByText("a form would be nicer").waitFor();
  await expectNoSeriousAxe(page);
  expect(await button(card, "Send answer").getAttribute("aria-disabled")).toBe("true");
  await card.getByRole("radio", { name: /A mail address/ }).check();
  await card.getByRole("textbox", { name: "Anything to add?" }).fill("Hide it from robots");
  await page.reload(); // What was chosen and typed is still there.
  await expect.poll(() => card.getByRole("radio", { name: /A mail address/ }).isChecked()).toBe(true);
  await button(card, "Send answer").click();
  await card.waitFor({ state: "detached" });
  await region(page, "Control tower").getByText("Achieved.").waitFor();
  // What is told of the page that one looks at is read by itself and shows no toast.
  const told = async () => (await person.api(routes.notifications.list, { query: { limit: 5 } })).items;
  await expect.poll(async () => (await told()).find(({ event }) => event === "outcome_achieved")?.read_at).toBeTruthy();
  expect(await page.getByRole("alert").filter({ hasText: "Outcome achieved" }).count()).toBe(0);
  const [answered] = (await person.api(routes.escalations.list, { params: { outcomeId: id }, query: {} })).items;
  expect(answered?.answer).toMatchObject({ selected_option: "address", additional_context: "Hide it from robots" });
  await navigation.getByRole("link", { name: "Outcomes", exact: true }).waitFor();
});

test("an answer in one's own words reaches the prompt of the task that waited", async () => {
  const asked = await askedOutcome();
  const page = await open(asked.person, `/outcomes/${asked.id}`);
  const card = question(page);
  await card.getByRole("radio", { name: /Something else/ }).check();
  await card.getByRole("textbox", { name: "Your answer" }).fill("A telephone number is enough");
  await button(card, "Send answer").click();
  await card.waitFor({ state: "detached" });
  await untilOutcome(asked.person.api, asked.id, ({ status }) => status === "achieved");
  expect((await readAnswer(asked)).answer).toMatchObject({ selected_option: "own_words" });
  const prompts = lab.lab.requests.flatMap(({ messages }) => messages.map(({ text }) => text));
  expect(prompts.some((text) => text.includes("A telephone number is enough"))).toBe(true);
  await page.goto(`/outcomes/${asked.id}?escalation=${asked.escalation.id}`);
  await page.getByText("You answered: A telephone number is enough").waitFor();
});

test("someone who wants to think keeps the question open, and answers later", async () => {
  const asked = await askedOutcome();
  const page = await open(asked.person, `/outcomes/${asked.id}`);
  await button(question(page), "Let me think").click();
  await question(page).getByText("You are thinking about it.").waitFor();
  await page.reload();
  await question(page).getByText("You are thinking about it.").waitFor();
  expect((await readAnswer(asked)).status).toBe("pending");
  await button(question(page), "Answer now").click();
  await question(page)
    .getByRole("radio", { name: /A contact form/ })
    .waitFor();
});

test("a question is dismissed with a reason, which the tasks are told", async () => {
  const asked = await askedOutcome();
  const page = await open(asked.person, `/outcomes/${asked.id}`);
  await button(question(page), "Dismiss").click();
  const dialog = page.getByRole("dialog", { name: "Continue without an answer?" });
  await expectNoSeriousAxe(page);
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Either is fine");
  await button(dialog, "Dismiss question").click();
  await question(page).waitFor({ state: "detached" });
  expect((await readAnswer(asked)).dismissed).toMatchObject({ why: "Either is fine" });
});

test("an answer that HOMЯ proposes is rejected, or accepted", async () => {
  const asked = await askedOutcome({ auto_resolve: { mode: "semi_auto", threshold: 0.8 } });
  const page = await open(asked.person, `/outcomes/${asked.id}`);
  await question(page).getByText("HOMЯ suggests: A contact form").waitFor();
  await question(page).getByText("It was asked for. (90% sure)").waitFor();
  await expectNoSeriousAxe(page);
  await button(question(page), "Reject suggestion").click();
  await question(page).getByText("HOMЯ suggests").waitFor({ state: "detached" });
  expect((await readAnswer(asked)).status).toBe("pending");
  const other = await askedOutcome({ auto_resolve: { mode: "semi_auto", threshold: 0.8 } });
  const second = await open(other.person, `/outcomes/${other.id}`);
  await button(question(second), "Accept suggestion").click();
  await question(second).waitFor({ state: "detached" });
  expect((await readAnswer(other)).answer).toMatchObject({ selected_option: "form", by: "human" });
});

test("of two who answer at once, the second is told what the first chose", async () => {
  const asked = await askedOutcome();
  const page = await open(asked.person, `/outcomes/${asked.id}`);
  await question(page)
    .getByRole("radio", { name: /A mail address/ })
    .check();
  await page.route("**/answer", async (route) => {
    await asked.person.api(routes.escalations.answer, {
      params: { outcomeId: asked.id, escId: asked.escalation.id },
      body: { selected_option: "form" },
    });
    await route.continue();
  });
  await button(question(page), "Send answer").click();
  const toast = page.getByRole("alert").filter({ hasText: "Your answer was not taken" });
  await toast.getByText(/answered by a person on .*: A contact form/).waitFor();
  await question(page).waitFor({ state: "detached" });
});

test("a task whose run has a question says so on the outcome, and leads to where it is answered", async () => {
  const person = await newPerson();
  const { id } = await createOutcome(person.api, { name: "A café that asks", start: true });
  const page = await open(person, `/outcomes/${id}`);
  await page.getByText("Task #1 is waiting for your answer: Write the first page").waitFor();
  await expectNoSeriousAxe(page);
  await page.getByRole("link", { name: "Answer task #1" }).click();
  await page.getByText("Which colour shall it be?").first().waitFor();
});

test("the log says why HOMЯ did something, on what evidence, and which prompts carried it", async () => {
  const person = await newPerson();
  const { id } = await createOutcome(person.api, { name: "A café with a discovery", start: true });
  await untilOutcome(person.api, id, ({ status }) => status === "achieved");
  const page = await open(person, `/outcomes/${id}`);
  await region(page, "Control tower").getByText("Back on course").waitFor();
  await region(page, "Control tower").getByRole("link", { name: "Activity log" }).click();
  const panel = page.getByRole("dialog", { name: "Activity log" });
  await button(panel, /^Show why: #1 “Write the first page” is off course/).click();
  await panel.getByText("Off course · 62 of 100 · Needs work").first().waitFor();
  await panel.getByText("Did more than asked, medium: It has a blog.").first().waitFor();
  await panel.getByText("Evidence: our blog says").first().waitFor();
  await expectNoSeriousAxe(page);
  await panel.getByRole("tab", { name: "Shared knowledge" }).click();
  const known = panel.getByRole("listitem").filter({ hasText: "Pages load only below 200 kB" }).first();
  await known.getByRole("button", { name: /^Who read it/ }).click();
  await known.getByRole("link", { name: /Task #2, iteration 1/ }).waitFor();
  await expectNoSeriousAxe(page);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
});

test("the search finds outcomes, questions and observations, and each leads to its place", async () => {
  const asked = await askedOutcome({ name: "A zebra café with a decision" });
  const page = await open(asked.person, "/search?q=zebra");
  await page.getByRole("main").getByRole("link", { name: "A zebra café with a decision" }).click();
  await page.waitForURL(`**/outcomes/${asked.id}`);
  await page.goto("/search?q=touch");
  await page.getByRole("main").getByRole("link", { name: "How shall people get in touch?" }).click();
  await page.waitForURL(`**/outcomes/${asked.id}?escalation=${asked.escalation.id}`);
  await page.goto("/search?q=page+says&kind=observation");
  await expectNoSeriousAxe(page);
  await page.getByRole("main").getByRole("listitem").getByRole("link").first().click();
  const panel = page.getByRole("dialog", { name: "Activity log" });
  await panel.getByRole("region", { name: "Observation" }).getByText("On course · 95 of 100").waitFor();
});

test("guidance is sent to one task or all, stands in the prompts, and is taken back", async () => {
  const person = await newPerson();
  const { id } = await createOutcome(person.api, { name: "Work that never ends", start: true });
  const page = await open(person, `/outcomes/${id}`);
  const card = region(page, "Guidance");
  expect(await button(card, "Send guidance").getAttribute("aria-disabled")).toBe("true");
  await card.getByRole("textbox", { name: "Add guidance" }).fill("Write in short sentences");
  await button(card, "Send guidance").click();
  const row = card.getByRole("listitem").filter({ hasText: "Write in short sentences" });
  await row.getByText("Passed to tasks").waitFor();
  await expect
    .poll(() => lab.lab.requests.some(({ messages }) => messages.some(({ text }) => text.includes("short sentences"))))
    .toBe(true);
  await button(row, "Who read it").click();
  await row
    .getByRole("link", { name: /^Task #1, iteration/ })
    .first()
    .waitFor();
  await expectNoSeriousAxe(page);
  await row.getByRole("button", { name: /^Take back/ }).click();
  await row.getByText("Taken back").waitFor();
  expect((await readOutcome(person.api, id)).status).toBe("active");
});
