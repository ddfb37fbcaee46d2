// The pages of `run-agent serve` in a browser, on a root with real runs: tasks, the run tree, a live log, messages, a question, starting and
// stopping.

import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openBus } from "../../src/runner/bus/bus.ts";
import { readBus } from "../../src/runner/bus/read-bus.ts";
import { createTask, listTasks, openProject } from "../../src/runner/layout/runner-root.ts";
import { keepTaskText, readStop } from "../../src/runner/layout/task-files.ts";
import { viewTask } from "../../src/runner/overview/task-view.ts";
import { fillAgentsWorld, makeAgentsWorld } from "../helpers/agents-world.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { walkWithTab } from "../helpers/keyboard-walk.ts";
import { removeFolders } from "../helpers/runner-root.ts";

const world = await makeAgentsWorld();
afterAll(async () => {
  await world.close();
  removeFolders();
});
const scene = await fillAgentsWorld(world);
const browser = await testBrowser();
const { root } = world;
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const taskAt = `/agents/projects/garden/tasks/${scene.running.task.taskId}`;
const runAt = `${taskAt}/runs/${scene.running.run}`;

async function open(address: string) {
  const { page } = await browser.open(world.url, { viewport: desktop });
  await page.goto(address);
  await page.locator("h1").first().waitFor();
  return page;
}

test("from the projects to a run: what each page shows leads to the next", async () => {
  const page = await open("/");
  await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/agents");
  await page.getByText("1 needs you").waitFor();
  await page.getByRole("link", { name: "garden" }).click();
  await page.getByRole("link", { name: "Water the plants" }).click();
  await page.getByRole("heading", { level: 1, name: "Water the plants" }).waitFor();
  await page.getByText("Waiting for you.").waitFor();
  const runs = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
  await expect.poll(() => runs.count()).toBe(3);
  await page.getByRole("link", { name: "command · attempt 2 of 2" }).click();
  await page.getByText("I look at the list of beds first.").waitFor();
  await page.getByRole("link", { name: "Previous attempt" }).click();
  await page.getByText("The hose has a hole.").waitFor();
});

test("a log shows what the agent said, with thinking and tools folded, or as it is", async () => {
  const page = await open(runAt);
  const thinking = page.getByText("The roses stand in the sun", { exact: false });
  await page.getByText("Thinking").waitFor();
  expect(await thinking.isVisible()).toBe(false);
  await page.getByText("Thinking").click();
  await thinking.waitFor();
  await page.getByText("Bash: cat beds.txt").click();
  await page.getByText("low pressure").waitFor();
  await page.getByText("Raw", { exact: true }).click();
  await page.getByText('"type":"assistant"', { exact: false }).first().waitFor();
  await page.getByText("Errors", { exact: true }).click();
  await expect.poll(() => page.locator(".log-line").count()).toBe(1);
});

test("lines and states appear as they happen", async () => {
  const task = createTask(root, "garden", "Count the snails");
  keepTaskText(root, task, "Count the snails");
  const gate = path.join(task.path, "go");
  const handle = await world.start(task, `echo one; while [ ! -e ${gate} ]; do sleep 0.1; done; echo two`);
  const page = await open(`/agents/projects/garden/tasks/${task.taskId}/runs/${handle.run_id}`);
  await page.getByText("one", { exact: true }).waitFor();
  expect(await page.getByText("two", { exact: true }).count()).toBe(0);
  root.disk.replace(gate, "");
  await page.getByText("two", { exact: true }).waitFor();
  await page.getByText("Completed").waitFor();
});

test("messages are threads; one posts, replies, and sees what others post", async () => {
  const page = await open(`${taskAt}/messages`);
  await page.getByText("Then leave out the thyme.").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("Mind the cat");
  await page.reload();
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("Mind the cat");
  await page.getByRole("button", { name: "Post message" }).click();
  await page.getByRole("listitem").filter({ hasText: "Mind the cat" }).waitFor();
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
  await openBus(root, scene.running.task).post({ type: "INFO", body: "The cat sleeps." });
  await page.getByText("The cat sleeps.").waitFor();
});

test("a question is answered once", async () => {
  const task = createTask(root, "garden", "Paint the bench");
  keepTaskText(root, task, "Paint the bench");
  const question = await openBus(root, task).post({ type: "QUESTION", body: "Which colour?" });
  const page = await open(`/agents/projects/garden/tasks/${task.taskId}`);
  await page.getByText("Which colour?").waitFor();
  await page.getByRole("textbox", { name: "Answer" }).fill("Green");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByRole("textbox", { name: "Answer" }).waitFor({ state: "detached" });
  const last = readBus(openBus(root, task)).entries.at(-1);
  expect(last).toMatchObject({ type: "ANSWER", body: "Green", parents: [{ msg_id: question.msg_id }] });
});

test("a task is started; what was typed survives a reload, and is gone afterwards", async () => {
  const page = await open("/agents/start");
  const prompt = page.getByRole("textbox", { name: "What do you want done?" });
  await prompt.fill("Prune the apple tree");
  await page.getByRole("combobox", { name: "Project" }).fill("orchard");
  await page.getByText("This project will be created.").waitFor();
  await page.reload();
  expect(await prompt.inputValue()).toBe("Prune the apple tree");
  await page.getByRole("button", { name: "Start task" }).click();
  await page.getByRole("heading", { level: 1, name: "Prune the apple tree" }).waitFor();
  const [task] = listTasks(root, openProject(root, "orchard"));
  expect(readFileSync(path.join(task?.path ?? "", "started.txt"), "utf8").trim()).toBe(
    `task --root=${root.folder} --project=orchard --task=${task?.taskId}`,
  );
  await page.goto("/agents/start");
  expect(await prompt.inputValue()).toBe("");
});

test("a stop asks first, then ends the run", async () => {
  const task = createTask(root, "garden", "Dig a pond");
  keepTaskText(root, task, "Dig a pond");
  await world.start(task, "sleep 600");
  const page = await open(`/agents/projects/garden/tasks/${task.taskId}`);
  await page.getByRole("button", { name: "Stop task" }).click();
  await page.getByRole("button", { name: "Keep running" }).click();
  expect(readStop(root, task)).toBeNull();
  await page.getByRole("button", { name: "Stop task" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop task" }).click();
  await expect.poll(() => viewTask(root, task).status).toBe("stopped");
  await page.getByText("Stopped on the page.", { exact: false }).first().waitFor();
  await page.getByRole("button", { name: "Start again" }).waitFor();
});

const pages = [
  "/agents",
  "/agents/start",
  "/agents/projects/garden",
  "/agents/projects/garden/messages",
  "/agents/projects/garden/facts",
  "/agents/projects/kitchen",
  taskAt,
  `${taskAt}/messages`,
  `${taskAt}/details`,
  runAt,
];

test.for(pages)("%s is accessible in light and dark, by keyboard and on a phone", async (address) => {
  const page = await open(address);
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: "detached" });
  await expectNoSeriousAxe(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await expectNoSeriousAxe(page, { onlyRules: ["color-contrast"] });
  await page.setViewportSize(phone);
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(phone.width);
  await page.setViewportSize(desktop);
  const { missed, unseen } = await walkWithTab(page);
  expect({ missed, unseen }).toEqual({ missed: [], unseen: [] });
});
