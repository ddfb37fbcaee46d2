import { constants, openSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeFolder, removeFolders } from "../../../test/helpers/runner-root.ts";
import { treeDisk } from "../layout/tree-disk.ts";
import { keepLastLines, splitLines } from "./lines.ts";
import { openOutputLog, timesFile } from "./output-log.ts";

afterEach(removeFolders);

const limits = { headMax: 20, tailMax: 8, timesMax: 1_000 };

function begin(over = {}) {
  const disk = treeDisk(makeFolder());
  const file = path.join(disk.root, "agent-stdout.txt");
  const log = openOutputLog(disk, file, { ...limits, ...over });
  return {
    file,
    log,
    say: (text: string | Buffer, ms = 0) => log.write(Buffer.from(text), ms),
    text: () => readFileSync(file, "utf8"),
    times: () => readFileSync(timesFile(file), "utf8"),
  };
}

test("what fits is kept byte for byte, with a time per line that began", () => {
  const { say, log, file, times } = begin({ headMax: 100 });
  say(Buffer.from([255, 0, 10]), 5);
  say("b\nc", 7);
  say("c", 8);
  say("\n", 9);
  say("d\n", 9);
  say("e\n", 4);
  expect(log.close()).toBeNull();
  expect([...readFileSync(file)]).toEqual([255, 0, 10, ...Buffer.from("b\ncc\nd\ne\n")]);
  expect(times()).toBe("0 5\n3 7\n8 9\n");
});

test("of too much, the beginning and the end are kept", () => {
  const { say, log, text } = begin();
  for (let n = 10; n < 100; n++) say(`line${n}\n`, n);
  const missing = log.close();
  expect(text()).toMatch(
    /^line10\nline11\nline12\n*[\s\S]*\[run-agent: \d+ bytes left out\]\n[\s\S]*line98\nline99\n$/,
  );
  expect(text().length).toBeLessThan(100);
  expect(missing).toMatch(/^\d+ of 630 bytes are not in .*: more than 20 were printed\.$/);
});

test("memory and disk are bounded, also by single large pieces", () => {
  const { say, log, text } = begin();
  for (let n = 0; n < 50; n++) say("x".repeat(1_000));
  expect(log.size()).toBe(50_000);
  log.close();
  expect(text().length).toBeLessThan(1_200);
});

test("a file that the agent removed is written again", () => {
  const { say, log, file, text, times } = begin();
  say("kept\n", 1);
  rmSync(file);
  rmSync(timesFile(file));
  say("more\n", 2);
  expect(log.close()).toBeNull();
  expect([text(), times()]).toEqual(["kept\nmore\n", "0 1\n5 2\n"]);
});

test("a full disk ends the file, not the agent", () => {
  const { say, log } = begin();
  // Every write to this device fails as on a full disk.
  const full = openOutputLog(
    { ...treeDisk(makeFolder()), kindOf: () => "file", open: () => openSync("/dev/full", constants.O_RDWR) },
    "/full.txt",
    limits,
  );
  full.write(Buffer.from("lost\n"), 1);
  expect(full.close()).toMatch(/^5 of 5 bytes are not in \/full.txt: ENOSPC/);
  say("x");
  log.close();
});

test("lines from pieces of any size, split characters and long lines", () => {
  const lines = splitLines(5);
  const bytes = Buffer.from("a\r\nbé\n123456789\n\nlast");
  const got = [...bytes].flatMap((byte) => lines.push(Buffer.from([byte])));
  expect([...got, ...lines.end(), ...lines.end()]).toEqual(["a", "bé", "12345", "", "last"]);
});

test("the last lines of many, long ones shortened", () => {
  const last = keepLastLines(2, 3);
  for (const line of ["a", "b", "c", "d", "efghi"]) last.add(line);
  expect(last.text()).toBe("d\nefg…");
});
