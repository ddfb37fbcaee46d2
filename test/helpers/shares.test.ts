import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { chooseShare, filesInTurn, filesWithout, takeShare } from "./shares.ts";

const shares = ["1", "2", "3", "4", "5", "6"];

test("six shares are everything, and nothing is in two of them", () => {
  const cases = Array.from({ length: 10 }, (_, n) => n);
  expect(shares.flatMap((share) => takeShare(share, cases)).toSorted((a, b) => a - b)).toEqual(cases);
  expect(takeShare("all", cases)).toEqual(cases);
  const had = shares.flatMap((share) => filesInTurn.filter((file) => !filesWithout(share).includes(file)));
  expect(had.toSorted()).toEqual([...filesInTurn].toSorted());
  expect(new Set(filesInTurn).size).toBe(filesInTurn.length);
  expect(filesWithout("all")).toEqual([]);
});

test("files that are taken in turn are there", () => {
  expect(filesInTurn.filter((file) => !existsSync(file))).toEqual([]);
});

test("a share that is asked for is taken, one that is not there refused", async () => {
  expect(await Promise.all([...shares, "all"].map(chooseShare))).toEqual([...shares, "all"]);
  expect(await Promise.all(["0", "7", "", "some"].map(chooseShare))).toEqual([null, null, null, null]);
  expect(shares).toContain(await chooseShare(undefined));
});
