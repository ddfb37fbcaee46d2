// Which repositories agents can work on, and a worktree that is reached through a link.

import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeRepository } from "../../../test/helpers/make-repository.ts";
import { makeFolder, removeFolders } from "../../../test/helpers/runner-root.ts";
import { runGit } from "../../../test/helpers/test-git.ts";
import { openGit } from "./git.ts";
import { findRepositoryProblem } from "./repository.ts";
import { openWorkFolder } from "./work-folder.ts";

afterAll(removeFolders);

const git = openGit(process.env);

test("a repository with a commit and no submodules can be worked on", async () => {
  expect(await findRepositoryProblem(git, await makeRepository({ "a.txt": "a\n" }))).toBeNull();
});

test("one without a commit is refused, with what to do", async () => {
  const folder = makeFolder();
  await runGit(folder, ["init", "--quiet"]);
  expect(await findRepositoryProblem(git, folder)).toBe(
    `${folder} has no commit yet; commit something there first, or leave the folder out`,
  );
});

test("one with submodules is refused, and they are named", async () => {
  const repository = await makeRepository({ "a.txt": "a\n" });
  const library = await makeRepository({ "b.txt": "b\n" });
  const added = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib"];
  await runGit(repository, added);
  await runGit(repository, ["commit", "--quiet", "-m", "A library"]);
  expect(await findRepositoryProblem(git, repository)).toMatch(/has submodules \(lib\), and agents would not see/);
});

test.each(["straight", "through a link"])("a work folder that is opened again %s is the same one", async (way) => {
  const repository = await makeRepository({ "a.txt": "a\n" });
  const [place, link] = [makeFolder(), path.join(makeFolder(), "link")];
  mkdirSync(path.join(place, "task"));
  symlinkSync(place, link);
  const folder = path.join(way === "straight" ? place : link, "task", "work");
  const request = { git, folder, repository, branch: "homework/abc", base: null };
  const first = await openWorkFolder(request);
  const again = await openWorkFolder({ ...request, base: first.base });
  expect([first.wasReplaced, again.wasReplaced]).toEqual([false, false]);
  expect((await runGit(folder, ["status", "--porcelain"])).stdout).toBe("");
});
