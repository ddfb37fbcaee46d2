// Agents on a repository of their user's: a branch and a worktree of their own, a commit for each iteration, merged or discarded later.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { agentWorld, scriptAgent } from "../../../test/helpers/agent-world.ts";
import { makeRepository } from "../../../test/helpers/make-repository.ts";
import { runGit } from "../../../test/helpers/test-git.ts";
import { asPlatform } from "../../db/database.ts";
import type { Run } from "../../domain/run/run.ts";
import { openGit } from "../../runner/work/git.ts";
import { mergeWork, removeBranch } from "../../runner/work/settle-work.ts";
import { findWork, settleWork } from "../../store/agent/work-store.ts";
import { branchOf, workFolderOf } from "./agent-place.ts";

const world = await agentWorld();
const git = openGit(process.env);
const done = 'touch "$JRUN_TASK_FOLDER/DONE"; echo finished';
const out = async (folder: string, ...args: readonly string[]) => (await runGit(folder, args)).stdout.trim();

const failingCode = { "sum.sh": "echo $(($1 - $2))\n", "test.sh": '[ "$(sh sum.sh 2 3)" = 5 ]\n' };
const testsPass = { kind: "command_succeeds", program: "sh", args: ["test.sh"] } as const;

async function begin(files: Readonly<Record<string, string>> = failingCode, over: Partial<Run> = {}) {
  const repository = await makeRepository(files);
  const checks: Run["checks"] = [{ id: "user_1", deliverableId: null, target: testsPass, givenBy: "user" }];
  const run = await world.createRun({ workFolder: repository, checks, ...over });
  return { repository, run, work: { git, repository, folder: workFolderOf(world.taskOf(run)), branch: branchOf(run) } };
}

test("three iterations make a failing test pass on a branch; nothing of the user's checkout changes until they merge", async () => {
  const { repository, run, work } = await begin();
  writeFileSync(path.join(repository, "notes.txt"), "mine, not committed\n");
  const looks = () => Promise.all([out(repository, "rev-parse", "HEAD"), out(repository, "status", "--porcelain")]);
  const before = await looks();
  expect(await world.step(run, [scriptAgent("echo '# look at it' >> sum.sh")])).toMatchObject({ kind: "continue" });
  const claims = await world.step(run, [scriptAgent(`echo '# again' >> sum.sh; ${done}`)]);
  expect(claims).toMatchObject({ kind: "continue", why: expect.stringContaining("sh test.sh") });
  const fixes = scriptAgent(`echo 'echo $(($1 + $2))' > sum.sh; ${done}`);
  expect(await world.step(run, [fixes])).toMatchObject({ kind: "complete" });
  expect(await looks()).toEqual(before);
  expect((await out(repository, "log", "--format=%s", `main..${work.branch}`)).split("\n")).toEqual([
    "Iteration 3: finished",
    "Iteration 2: finished",
    "Iteration 1: The agent ended without a word.",
  ]);
  expect(await mergeWork(work, "Merge the fix")).toMatchObject({ kind: "merged", into: "main" });
  expect(readFileSync(path.join(repository, "sum.sh"), "utf8")).toBe("echo $(($1 + $2))\n");
  expect(readFileSync(path.join(repository, "notes.txt"), "utf8")).toBe("mine, not committed\n");
  expect([existsSync(work.folder), await out(repository, "branch", "--list", work.branch)]).toEqual([false, ""]);
});

test("what is not committed by the user and would be overwritten keeps a merge from beginning", async () => {
  const { repository, run, work } = await begin();
  await world.step(run, [scriptAgent(`echo 'echo $(($1 + $2))' > sum.sh; ${done}`)]);
  writeFileSync(path.join(repository, "sum.sh"), "echo mine\n");
  expect(await mergeWork(work, "Merge")).toMatchObject({ kind: "in_the_way", why: expect.stringContaining("sum.sh") });
  expect(readFileSync(path.join(repository, "sum.sh"), "utf8")).toBe("echo mine\n");
  expect(await out(repository, "status", "--porcelain")).toBe("M sum.sh");
});

test("conflicts are told file by file, and nothing is done", async () => {
  const { repository, run, work } = await begin();
  await world.step(run, [scriptAgent(`echo 'echo $(($1 + $2))' > sum.sh; ${done}`)]);
  writeFileSync(path.join(repository, "sum.sh"), "echo theirs\n");
  await runGit(repository, ["commit", "--quiet", "-am", "Theirs"]);
  const head = await out(repository, "rev-parse", "HEAD");
  expect(await mergeWork(work, "Merge")).toEqual({ kind: "conflicts", into: "main", files: ["sum.sh"] });
  expect([await out(repository, "rev-parse", "HEAD"), await out(repository, "status", "--porcelain")]).toEqual([
    head,
    "",
  ]);
});

test("discarding removes branch and folder, and leaves everything else", async () => {
  const { repository, run, work } = await begin();
  await world.step(run, [scriptAgent(`echo x > x.txt; ${done}`)]);
  await removeBranch(work);
  expect([existsSync(work.folder), await out(repository, "branch", "--list")]).toEqual([false, "* main"]);
  expect(await out(repository, "worktree", "list")).not.toContain(work.folder);
});

test("an agent that goes to another branch and commits there by itself works on the run's branch all the same", async () => {
  const { repository, run, work } = await begin();
  const wanders = `git checkout --quiet -b elsewhere; echo 'echo $(($1 + $2))' > sum.sh; git commit --quiet -am own; ${done}`;
  expect(await world.step(run, [scriptAgent(wanders)])).toMatchObject({ kind: "complete" });
  expect(await out(repository, "show", `${work.branch}:sum.sh`)).toBe("echo $(($1 + $2))");
});

const fixIt = scriptAgent(`echo 'echo $(($1 + $2))' > sum.sh; ${done}`);
const look = scriptAgent(`cat sum.sh > seen.txt; ${done}`);

test("a follow-up begins from the branch of the run before it; merging it brings both", async () => {
  const { repository, run, work } = await begin();
  await world.step(run, [fixIt]);
  const next = await world.createRun({ workFolder: repository, followsRunId: run.id });
  expect(await world.step(next, [look])).toMatchObject({ kind: "complete" });
  const branch = branchOf(next);
  expect((await out(repository, "log", "--format=%s", `main..${branch}`)).split("\n")).toHaveLength(2);
  expect(await out(repository, "show", `${branch}:seen.txt`)).toBe("echo $(($1 + $2))");
  const { record } = (await world.db.asSystem((tx) => findWork(tx, next.id))) ?? { record: null };
  expect(record?.files.map((file) => file.path)).toEqual(["seen.txt"]);
  const merge = { git, repository, folder: workFolderOf(world.taskOf(next)), branch };
  expect(await mergeWork(merge, "Merge both")).toMatchObject({ kind: "merged" });
  expect(readFileSync(path.join(repository, "sum.sh"), "utf8")).toBe("echo $(($1 + $2))\n");
  // The first one is merged with it.
  expect(await mergeWork(work, "Merge again")).toMatchObject({ kind: "merged" });
});

test.each(["merged", "discarded"] as const)(
  "a follow-up of a run that was %s begins from what is checked out",
  async (state) => {
    const { repository, run } = await begin();
    await world.step(run, [fixIt]);
    await world.db.asSystem((tx) => asPlatform(tx, (platform) => settleWork(platform, run.id, state)));
    const next = await world.createRun({ workFolder: repository, followsRunId: run.id });
    expect(await world.step(next, [look])).toMatchObject({ kind: "complete" });
    expect(await out(repository, "show", `${branchOf(next)}:seen.txt`)).toBe("echo $(($1 - $2))");
  },
);

test("a follow-up without a repository begins from the files of the run before it, and keeps their documents", async () => {
  const run = await world.createRun();
  await world.step(run, [scriptAgent(`echo "# Greeting" > greeting.md; echo "code" > x.bin; ${done}`)]);
  const next = await world.createRun({ followsRunId: run.id });
  expect(await world.step(next, [scriptAgent(`echo more >> greeting.md; ${done}`)])).toMatchObject({
    kind: "complete",
  });
  const folder = workFolderOf(world.taskOf(next));
  expect([readFileSync(path.join(folder, "greeting.md"), "utf8"), existsSync(path.join(folder, "x.bin"))]).toEqual([
    "# Greeting\nmore\n",
    true,
  ]);
  const documentsOf = async ({ id }: Run) => (await world.db.asSystem((tx) => findWork(tx, id)))?.documents;
  expect(await documentsOf(next)).toEqual(await documentsOf(run));
});

const noticedOf = async ({ id }: Run) => (await world.db.asSystem((tx) => findWork(tx, id)))?.record?.noticed;

test("what an agent changes in the repository outside of its branch is told; its own branch and files are not", async () => {
  const { run } = await begin();
  const meddles = [
    "git update-ref refs/heads/main $(git commit-tree -p main -m x main^{tree})",
    "git config core.fsmonitor /tmp/x",
    "git tag mine",
    'printf x > "$(git rev-parse --git-common-dir)/hooks/post-merge"',
  ].join("; ");
  await world.step(run, [
    scriptAgent(`mkdir -p "$(git rev-parse --git-common-dir)/hooks"; ${meddles}; echo x > x.txt`),
  ]);
  const told = [
    "the branch main changed",
    "the setting core.fsmonitor is new",
    "the tag mine is new",
    "the hook post-merge is new",
  ];
  expect((await noticedOf(run))?.toSorted()).toEqual(told.toSorted());
  await world.step(run, [scriptAgent(`git commit --quiet --allow-empty -m own; ${done}`)]);
  expect(await noticedOf(run)).toHaveLength(told.length);
});

test("nothing is told where nothing changed", async () => {
  const { run } = await begin();
  await world.step(run, [scriptAgent(`echo x > x.txt; git add .; git commit --quiet -m own; ${done}`)]);
  expect(await noticedOf(run)).toEqual([]);
});

test("hooks of the repository are not run", async () => {
  const { repository, run } = await begin();
  const hook = path.join(repository, ".git", "hooks", "post-commit");
  mkdirSync(path.dirname(hook), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\ntouch '${repository}/hooked'\n`, { mode: 0o755 });
  await world.step(run, [scriptAgent(`echo x > x.txt; ${done}`)]);
  expect(existsSync(path.join(repository, "hooked"))).toBe(false);
});
