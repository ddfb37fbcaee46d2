// Programs that a repository names in its configuration, attributes and hooks: the platform's git starts none of them, whatever it does.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeRepository } from "../../../test/helpers/make-repository.ts";
import { makeFolder, removeFolders } from "../../../test/helpers/runner-root.ts";
import { runGit } from "../../../test/helpers/test-git.ts";
import { lookVerbs, openGit } from "./git.ts";
import { findRepository, findRepositoryProblem, openStore } from "./repository.ts";
import { makeReviewCopy } from "./review-copy.ts";
import { mergeWork, removeBranch } from "./settle-work.ts";
import {
  commitAll,
  listChanges,
  listCommits,
  openWorkFolder,
  readBranchFile,
  readDiff,
  restoreFiles,
} from "./work-folder.ts";

afterAll(removeFolders);

const git = openGit(process.env);
const hooks =
  "post-checkout post-commit post-index-change post-merge pre-commit pre-merge-commit prepare-commit-msg reference-transaction".split(
    " ",
  );

/** A program that leaves a mark and hands its input on. */
function makeProgram(mark: string): string {
  const file = `${mark}.sh`;
  writeFileSync(file, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat 2>/dev/null\nexit 0\n`, { mode: 0o755 });
  return file;
}

/** What an agent writes into a git directory. */
function layTraps(folder: string, program: string): void {
  mkdirSync(path.join(folder, "hooks"), { recursive: true });
  for (const hook of hooks) symlinkSync(program, path.join(folder, "hooks", hook));
  mkdirSync(path.join(folder, "info"), { recursive: true });
  writeFileSync(path.join(folder, "info", "attributes"), "* filter=trap diff=trap merge=trap\n");
}

const settingsOf = (program: string, place: string): readonly (readonly [string, string])[] => [
  ...["clean", "smudge", "process"].map((kind) => [`filter.trap.${kind}`, program] as const),
  ["filter.trap.required", "true"],
  ["diff.trap.textconv", program],
  ["diff.trap.command", program],
  ["diff.external", program],
  ["merge.trap.driver", program],
  ["core.fsmonitor", program],
  ["core.hooksPath", path.join(place, "hooks")],
  ["core.sshCommand", program],
  ["core.pager", program],
  ["core.editor", program],
  ["core.askPass", program],
  ["core.alternateRefsCommand", program],
  ["gpg.program", program],
  ["gpg.ssh.program", program],
  ["commit.gpgSign", "true"],
  ["log.showSignature", "true"],
  ["merge.verifySignatures", "true"],
  ["credential.helper", `!${program}`],
  ["uploadpack.packObjectsHook", program],
  ["interactive.diffFilter", program],
  ["sequence.editor", program],
  ["remote.trap.url", `ext::${program}`],
  ["remote.trap.promisor", "true"],
  ["extensions.partialClone", "trap"],
  ["submodule.recurse", "true"],
  ["trailer.trap.command", program],
  ...lookVerbs.map((verb) => [`alias.${verb}`, `!${program}`] as const),
];

/** Everything that the platform does with git, on a worktree full of traps. */
async function operate(repository: string, folder: string, setTraps: (workFolder: string) => Promise<void>) {
  const request = { git, folder, repository, branch: "homework/0123456789ab", base: null };
  const first = await openWorkFolder(request);
  await setTraps(folder);
  const work = await openWorkFolder({ ...request, base: first.base });
  expect(await findRepository(git, repository)).toBe(repository);
  expect(await findRepositoryProblem(git, repository)).toBeNull();
  const changes = await listChanges(work);
  await commitAll(work, "Work");
  await restoreFiles(work, ["a.txt", "added.txt"]);
  await listCommits(work);
  const diff = await readDiff(work, 100_000);
  const copy = await makeReviewCopy(work, path.join(path.dirname(folder), "copy"));
  const read = await readBranchFile(work, "a.txt");
  const merged = await mergeWork({ git, repository, folder, branch: request.branch }, "Merge");
  if (merged.kind !== "merged") await removeBranch({ git, repository, folder, branch: request.branch });
  return { changes, diff, copy: copy.diff, read, merged };
}

async function begin() {
  const repository = await makeRepository({ "a.txt": "one\n", "b.bin": "two\n" });
  const place = makeFolder();
  const mark = path.join(place, "ran");
  return { repository, mark, folder: path.join(place, "task", "work"), program: makeProgram(mark), place };
}

test("no program that an agent names in the repository is started by any operation, and its changes are all seen", async () => {
  const { repository, mark, folder, program, place } = await begin();
  const result = await operate(repository, folder, async (work) => {
    for (const [name, value] of settingsOf(program, place)) await runGit(repository, ["config", name, value]);
    layTraps(path.join(repository, ".git"), program);
    layTraps(place, program);
    writeFileSync(path.join(work, ".gitattributes"), "* filter=trap diff=trap merge=trap\n*.bin -diff\n");
    writeFileSync(path.join(work, "a.txt"), "changed\n");
    writeFileSync(path.join(work, "b.bin"), "hidden?\n");
    writeFileSync(path.join(work, "added.txt"), "new\n");
  });
  expect(existsSync(mark)).toBe(false);
  expect(result.changes.map((each) => each.path).toSorted()).toEqual([".gitattributes", "a.txt", "added.txt", "b.bin"]);
  expect([result.diff, result.copy]).toEqual([
    expect.stringContaining("+hidden?"),
    expect.stringContaining("+hidden?"),
  ]);
  expect(result.read).toBe("changed\n");
  expect(result.merged).toMatchObject({
    kind: "in_the_way",
    why: expect.stringContaining("through the filter “trap”"),
  });
  // The traps work: the person's own git runs into them.
  await runGit(repository, ["status"], [0, 1, 128]);
  expect(existsSync(mark)).toBe(true);
});

test.each(["hooks and drivers, without a filter", "nothing at all"])("a branch is merged with %s", async (what) => {
  const { repository, mark, folder, program, place } = await begin();
  const { merged } = await operate(repository, folder, async (work) => {
    if (what !== "nothing at all") {
      for (const [name, value] of settingsOf(program, place)) await runGit(repository, ["config", name, value]);
      layTraps(path.join(repository, ".git"), program);
      rmSync(path.join(repository, ".git", "info", "attributes"));
    }
    writeFileSync(path.join(work, "a.txt"), "changed\n");
  });
  expect([merged.kind, existsSync(mark)]).toEqual(["merged", false]);
});

test.each(["a file that names another repository", "a link to one", "a repository of its own", "nothing"])(
  "where an agent puts %s in place of .git, its programs do not run and its files count",
  async (what) => {
    const { repository, mark, folder, program, place } = await begin();
    const { changes, read } = await operate(repository, folder, async (work) => {
      const evil = await makeRepository({ "x.txt": "x\n" });
      for (const [name, value] of settingsOf(program, place)) await runGit(evil, ["config", name, value]);
      layTraps(path.join(evil, ".git"), program);
      rmSync(path.join(work, ".git"));
      if (what.startsWith("a file")) writeFileSync(path.join(work, ".git"), `gitdir: ${evil}/.git\n`);
      if (what.startsWith("a link")) symlinkSync(path.join(evil, ".git"), path.join(work, ".git"));
      if (what.startsWith("a repository")) {
        await runGit(work, ["init", "--quiet"]);
        layTraps(path.join(work, ".git"), program);
      }
      writeFileSync(path.join(work, "a.txt"), "changed\n");
    });
    expect([existsSync(mark), changes.map((each) => each.path), read]).toEqual([false, ["a.txt"], "changed\n"]);
  },
);

test("a change counts though the agent told git to look away from it", async () => {
  const { repository, folder } = await begin();
  const { changes, diff } = await operate(repository, folder, async (work) => {
    await runGit(work, ["update-index", "--assume-unchanged", "a.txt"]);
    await runGit(work, ["update-index", "--skip-worktree", "b.bin"]);
    await runGit(work, ["config", "core.excludesFile", path.join(work, "..", "all")]);
    writeFileSync(path.join(work, "..", "all"), "*\n");
    writeFileSync(path.join(repository, ".git", "info", "exclude"), "*\n");
    for (const file of ["a.txt", "b.bin", "c.txt"]) writeFileSync(path.join(work, file), "changed\n");
  });
  expect(changes.map((each) => each.path)).toEqual(["a.txt", "b.bin", "c.txt"]);
  expect(diff.match(/^\+changed$/gm)).toHaveLength(3);
});

test("files of a repository inside the folder count like others, with a commit of its own and without; its programs do not run", async () => {
  const { repository, mark, folder, program, place } = await begin();
  const { changes, diff } = await operate(repository, folder, async (work) => {
    for (const name of ["with", "without", "with/deeper"]) {
      mkdirSync(path.join(work, name));
      await runGit(path.join(work, name), ["init", "--quiet"]);
      writeFileSync(path.join(work, name, "x.txt"), `${name}\n`);
      await runGit(path.join(work, name), ["config", "user.email", "a@example.org"]);
      await runGit(path.join(work, name), ["config", "user.name", "A"]);
    }
    for (const name of ["with/deeper", "with"]) {
      await runGit(path.join(work, name), ["add", "x.txt"]);
      await runGit(path.join(work, name), ["commit", "--quiet", "-m", "x"]);
      for (const [key, value] of settingsOf(program, place))
        await runGit(path.join(work, name), ["config", key, value]);
      layTraps(path.join(work, name, ".git"), program);
    }
  });
  expect([existsSync(mark), changes.map((each) => each.path).toSorted()]).toEqual([
    false,
    ["with/deeper/x.txt", "with/x.txt", "without/x.txt"],
  ]);
  expect(diff.match(/^\+with.*$/gm)).toHaveLength(3);
});

test("only commands that start no program see a repository's configuration", async () => {
  const { repository, mark, program, place } = await begin();
  for (const [name, value] of settingsOf(program, place)) await runGit(repository, ["config", name, value]);
  const store = await openStore(git, repository);
  expect(() => git.look(repository, ["diff"])).toThrow("git diff is not a command that only looks");
  expect((await git.work(store, ["config", "--list"])).stdout).not.toContain(program);
  expect(existsSync(mark)).toBe(false);
});

/** A git that waits for a pipe would end with the time of the test. */
test
  .runIf(process.platform !== "win32")
  .each([".gitignore", "deep/er/.gitignore", ".gitattributes", "nested/.git/HEAD", "nested/.git/config"])(
  "a pipe as %s is not waited for, and the changes around it are seen",
  async (name) => {
    const { repository, folder } = await begin();
    const { changes, diff } = await operate(repository, folder, async (work) => {
      mkdirSync(path.join(work, "nested"));
      await runGit(path.join(work, "nested"), ["init", "--quiet"]);
      mkdirSync(path.join(work, path.dirname(name)), { recursive: true });
      rmSync(path.join(work, name), { force: true });
      execFileSync("mkfifo", [path.join(work, name)]);
      writeFileSync(path.join(work, "a.txt"), "changed\n");
    });
    expect(changes.map((each) => each.path)).toContain("a.txt");
    expect(diff).toContain("+changed");
  },
);
