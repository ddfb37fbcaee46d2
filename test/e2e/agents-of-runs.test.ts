// The section Agents of `homework serve` in a browser: a task of `run-agent` and the work of a Homework run stand side by side, with live
// logs and messages, and the pages of run and task lead to each other.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { expectNoSeriousAxe, testBrowser } from "../helpers/browser.ts";
import { patienceMs } from "../helpers/patience.ts";
import { removeDataFolder, startServer, stopServer } from "../helpers/served.ts";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";
import { loginLink } from "../helpers/web-session.ts";

const data = copyUsedDataFolder();
const place = path.join(data, "of-the-test");
mkdirSync(place, { recursive: true });
const agentsRoot = path.join(place, "run-agent");
mkdirSync(agentsRoot);

/** Waits for a file named after its task before it goes on. */
const work = `task=$(cat)
case "$task" in *Water*) gate=water;; *Rake*) gate=rake;; *) gate=sow;; esac
echo "I look at the beds first."
while [ ! -e '${place}'/$gate ]; do sleep 0.05; done
echo "$gate" > beds.txt
echo "The beds are done."
touch "$JRUN_TASK_FOLDER/DONE"`;
writeFileSync(path.join(place, "work.sh"), work);
const configFile = path.join(place, "config.hcl");
const command = JSON.stringify(["sh", path.join(place, "work.sh")]);
writeFileSync(configFile, `agent "gardener" {\n  type = "command"\n  command = ${command}\n}\n`);

const server = await startServer(data, {
  settings: { HOMEWORK_AGENT_CONFIG: configFile, HOMEWORK_AGENTS_ROOT: agentsRoot },
});
const bin = fileURLToPath(new URL("../../bin/run-agent.js", import.meta.url));
const own = spawn(
  process.execPath,
  [bin, "--root", agentsRoot, "--config", configFile, "task", "-p", "garden", "Water the plants"],
  { env: { PATH: process.env.PATH ?? "", HOME: place }, stdio: "ignore" },
);
const ownEnded = once(own, "exit");
const handOver = (objective: string) =>
  server.api(routes.runs.create, { body: { objective, engine: "agent", judge: false } });
const sown = await handOver("Sow the beans");
const raked = await handOver("Rake the leaves");

afterAll(async () => {
  for (const gate of ["water", "sow", "rake"]) writeFileSync(path.join(place, gate), "");
  await ownEnded;
  await stopServer(server);
  await removeDataFolder(data);
});

const browser = await testBrowser();
const profile = await browser.profile(server.url, { viewport: { width: 1280, height: 900 } });

/** Signed in from the first page on; the link works once. */
async function open(address: string) {
  const { page } = await profile.open();
  if (!isSignedIn) await page.goto(await loginLink(server));
  isSignedIn = true;
  await page.goto(`${server.url}${address}`);
  await page.locator("h1").first().waitFor();
  return page;
}
let isSignedIn = false;

async function untilStatus(runId: string, ...wanted: readonly string[]) {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 50) {
    const { run } = await server.api(routes.runs.get, { params: { runId }, query: {} });
    if (wanted.includes(run.status)) return run;
    await sleep(50);
  }
  throw new Error(`never: ${wanted.join(" or ")}`);
}

test("a task of run-agent and a Homework run are both shown, with what they are", async () => {
  const page = await open("/agents");
  await page.getByRole("link", { name: "garden" }).waitFor();
  await page.getByRole("link", { name: "Homework runs" }).click();
  await page.getByRole("heading", { level: 1, name: "Homework runs" }).waitFor();
  expect(await page.getByRole("link", { name: "Start a task" }).count()).toBe(0);
  await page.getByRole("link", { name: "Rake the leaves" }).waitFor();
  await expectNoSeriousAxe(page);
  await page.goto(`${server.url}/agents/projects/garden`);
  await page.getByRole("link", { name: "Water the plants" }).click();
  await page.getByRole("link", { name: "gardener" }).click();
  await page.getByText("I look at the beds first.").waitFor();
});

test("from the run to its agents and back: live log, message, end", async () => {
  const page = await open(`/homework/runs/${sown.run_id}`);
  await page.getByRole("link", { name: "Agents, live logs and messages" }).click();
  await page.getByRole("heading", { level: 1, name: "Sow the beans" }).waitFor();
  await page.getByText("An agent works on iteration 1 of").waitFor();
  await page.getByText("Will restart.").waitFor();
  await page.getByRole("link", { name: "gardener" }).click();
  await page.getByText("I look at the beds first.").waitFor();
  await page.getByRole("link", { name: "Messages" }).click();
  await page.getByText("The Homework run gets this as guidance, too.").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("Mind the roses");
  await page.getByRole("button", { name: "Post message" }).click();
  await page.getByRole("listitem").filter({ hasText: "Mind the roses" }).waitFor();
  const { run } = await server.api(routes.runs.get, { params: { runId: sown.run_id }, query: {} });
  expect(run.messages).toMatchObject([{ text: "Mind the roses" }]);
  writeFileSync(path.join(place, "sow"), "");
  await untilStatus(sown.run_id, "completed");
  await page.getByText("The run is done.").first().waitFor();
  await expectNoSeriousAxe(page);
  await page.getByRole("link", { name: "Open run" }).click();
  await page.getByRole("heading", { level: 1, name: "Sow the beans" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/homework/runs/${sown.run_id}`);
});

test("stopping the agent of a run makes the run ask, and says so before", async () => {
  const { work: kept } = await server.api(routes.runs.work, { params: { runId: raked.run_id } });
  const page = await open(`/agents/projects/${kept?.agent_task?.project_id}/tasks/${kept?.agent_task?.task_id}`);
  await page.getByRole("button", { name: "Stop agent" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The Homework run then asks you whether to go on.").waitFor();
  await dialog.getByRole("button", { name: "Stop agent" }).click();
  const run = await untilStatus(raked.run_id, "waiting_on_user", "stopped", "failed");
  expect(run.questions[0]?.text).toContain("Should the run go on?");
  await page.getByText("The run is waiting for your answer.").waitFor();
  await page.getByText("Needs you").first().waitFor();
});

test("the task of run-agent ends as it would without a server", async () => {
  writeFileSync(path.join(place, "water"), "");
  expect((await ownEnded)[0]).toBe(0);
  const page = await open("/agents/projects/garden");
  await page.getByText("1 task done").waitFor();
  await page.getByRole("link", { name: "Water the plants" }).waitFor();
});
