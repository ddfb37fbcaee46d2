import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { realEnv } from "../../test/helpers/embedded-env.ts";
import { answersSignals, identify, isAlive, nameAfter, namedProcess, signal, thisProcess } from "./process-identity.ts";

const children: ReturnType<typeof spawn>[] = [];

function start(program: string, ...args: string[]): ReturnType<typeof spawn> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  return child;
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }
});

test("a running process is alive", () => {
  expect(isAlive(thisProcess())).toBe(true);
});

test("a process that ended is not", async () => {
  const child = start("sleep", "60");
  const found = identify(child.pid ?? 0);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(found && isAlive(found)).toBe(false);
});

test("another process with the same pid is not the one we knew", () => {
  expect(isAlive({ ...thisProcess(), started: "earlier" })).toBe(false);
});

test("another process with the same pid gets no signal", async () => {
  const child = start("sleep", "60");
  const pid = child.pid ?? 0;
  signal({ pid, started: "earlier" }, "SIGKILL");
  // A signal takes a moment to arrive.
  await realEnv.sleep(200);
  expect(identify(pid)).toBeDefined();
});

test.runIf(process.platform === "linux")("a zombie is gone, though signals still find it", async () => {
  // The shell becomes a sleep that never asks for its child, which ends once it has.
  const untilSleep = 'until [ "$(cat /proc/$$/comm)" = sleep ]; do sleep 0.01; done';
  const parent = start("sh", "-c", `(${untilSleep}) & echo $!; exec sleep 60`);
  const [line] = await once(parent.stdout ?? process.stdin, "data");
  const pid = Number(String(line));
  await expect.poll(() => isZombie(pid)).toBe(true);
  expect([isZombie(pid), answersSignals(pid), identify(pid)]).toEqual([true, true, undefined]);
});

test("a file name says whose it is", () => {
  expect(namedProcess(nameAfter(thisProcess(), "a-b-c"))).toEqual(thisProcess());
  expect(namedProcess(`draft-${nameAfter(thisProcess(), "1")}`)).toEqual(thisProcess());
  expect(namedProcess("something else")).toBeUndefined();
});

function isZombie(pid: number): boolean {
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}
