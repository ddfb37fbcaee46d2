// A run of the agent engine on a real server that is killed while the agent works: the agent goes on, the next server adopts it, and
// its work is counted, reviewed, and merged through the API.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { makeRepository } from "../helpers/make-repository.ts";
import { patienceMs } from "../helpers/patience.ts";
import { removeFolders } from "../helpers/runner-root.ts";
import { killServerHard, removeDataFolder, type Served, startServer, stopServer } from "../helpers/served.ts";
import { copyUsedDataFolder } from "../helpers/used-data-folder.ts";

const data = copyUsedDataFolder();
const place = path.join(data, "of-the-test");
mkdirSync(place, { recursive: true });
const gate = path.join(place, "gate");
const starts = path.join(place, "starts");
const asOwner = path.join(place, "as-owner");
const program = path.resolve("bin/homework.js");

const ofOwner = ["list", "user login-link", "serve", "db status", "doctor"];
// It tries to act as the owner of the installation, with nothing in its environment that tells what it is.
const work = `cat > /dev/null
for words in ${ofOwner.map((words) => `'${words}'`).join(" ")}; do
  env -i PATH="$PATH" HOME='${place}' '${process.execPath}' '${program}' --data '${data}' $words >> '${asOwner}' 2>&1
done
echo started >> '${starts}'
while [ ! -e '${gate}' ]; do sleep 0.05; done
echo 'echo $(($1 + $2))' > sum.sh
touch "$JRUN_TASK_FOLDER/DONE"
echo 'The sum is right now.'`;
const review = `cat > /dev/null
echo '{"complete": true, "findings": [], "quotes": [{"file": "sum.sh", "line": 1, "quote": "echo $(($1 + $2))"}]}'`;
for (const [name, script] of Object.entries({ work, review })) writeFileSync(path.join(place, `${name}.sh`), script);
const configFile = path.join(place, "config.hcl");
const agent = (name: string) =>
  `agent "${name}" {\n  type = "command"\n  command = ["sh", ${JSON.stringify(path.join(place, `${name}.sh`))}]\n}\n`;
// The reviewer is no agent that works: its weight is nothing.
const selection = `selection {\n  strategy = "weights"\n  weights = {\n    work = 1\n    review = 0\n  }\n}\n`;
writeFileSync(configFile, `${agent("work")}${agent("review")}${selection}`);

const settings = { HOMEWORK_AGENT_CONFIG: configFile };
const open: Served[] = [];
const start = async (): Promise<Served> => {
  const server = await startServer(data, { settings });
  open.push(server);
  return server;
};

afterAll(async () => {
  for (const server of open) await stopServer(server);
  await removeDataFolder(data);
  removeFolders();
});

async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 50) {
    const found = await look();
    if (found !== null) return found;
    await sleep(50);
  }
  throw new Error(`never: ${what}`);
}

test("an agent survives its server, is adopted, counted once, reviewed by the other agent, and merged", async () => {
  const repository = await makeRepository({
    "sum.sh": "echo $(($1 - $2))\n",
    "test.sh": '[ "$(sh sum.sh 2 3)" = 5 ]\n',
  });
  const first = await start();
  expect(await first.api(routes.instance.models, {})).toMatchObject({
    agents: ["work", "review"],
    agent_problem: null,
  });
  const { run_id: runId } = await first.api(routes.runs.create, {
    body: {
      objective: "Make the tests pass",
      engine: "agent",
      work_folder: repository,
      completion_criteria: [{ kind: "command_succeeds", program: "sh", args: ["test.sh"] }],
    },
  });
  const params = { runId };
  await until("the agent works", () => (existsSync(starts) ? true : null));
  await killServerHard(first);
  const second = await start();
  await until("the agent is taken over", async () => {
    const { events } = await second.api(routes.runs.get, { params, query: { include_events: "true", limit: 100 } });
    return JSON.stringify(events).includes("Took over the agent, which works on") || null;
  });
  writeFileSync(gate, "");
  const ended = await until("the run ends", async () => {
    const { run } = await second.api(routes.runs.get, { params, query: {} });
    return ["completed", "stopped", "failed", "waiting_on_user"].includes(run.status) ? run : null;
  });
  expect([ended.status, ended.stop_reason]).toEqual(["completed", null]);
  expect(readFileSync(starts, "utf8")).toBe("started\n");
  expect(readFileSync(asOwner, "utf8").match(/only people act as its owner\. Nothing was done\./g)).toHaveLength(
    ofOwner.length,
  );
  expect(ended.report?.work).toMatchObject({
    repository,
    commits: [{ title: "Iteration 1: The sum is right now." }],
    files: [{ path: "sum.sh", change: "modified", added: 1, removed: 1 }],
    agents: ["work"],
  });
  expect(ended.report?.checks.map(({ check, state }) => [check, state])).toEqual(
    expect.arrayContaining([
      ["command_succeeds", "passed"],
      ["judge", "passed"],
    ]),
  );
  const judged = ended.report?.checks.find(({ check }) => check === "judge");
  expect(judged?.seen).toContain("the reviewer (review) says yes and quotes sum.sh:1");
  const shown = await second.api(routes.runs.work, { params });
  expect(shown.work?.diff).toContain("+echo $(($1 + $2))");
  expect(readFileSync(path.join(repository, "sum.sh"), "utf8")).toContain("-");
  expect(await second.api(routes.runs.merge, { params })).toMatchObject({ kind: "merged", into: "main" });
  expect(readFileSync(path.join(repository, "sum.sh"), "utf8")).toContain("+");
  expect(await second.api(routes.runs.discard, { params })).toMatchObject({ kind: "in_the_way" });
});

test.each([
  ["a folder that is in no repository", { work_folder: "/" }, /git repository/],
  ["a folder without the agent engine", { engine: "planner" as const, work_folder: "/tmp" }, /only agents/],
  ["a write mode that an agent cannot keep", { permissions: { write_mode: "per_write" as const } }, /autopilot/],
  ["a hard limit of money", { budgets: { max_cost_usd: 1, hard: true } }, /known only once it has worked/],
])("%s is refused when the run is made", async (_, body, why) => {
  const server = open.at(-1) ?? (await start());
  const made = server.api(routes.runs.create, { body: { objective: "Do it", engine: "agent", ...body } });
  await expect(made).rejects.toThrow(why);
});
