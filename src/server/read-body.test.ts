import { Hono } from "hono";
import { expect, test } from "vitest";
import { AppError } from "../lib/app-error.ts";
import { type BodyLimits, boundBodies, readBody } from "./read-body.ts";

const bytesMax = 1_000;

function setUp(limits: Partial<BodyLimits> = {}) {
  const app = new Hono();
  app.use(boundBodies({ bytesInAll: 1_000, stallMs: 600_000, ...limits }));
  app.post("/", async (c) => c.text(String((await readBody(c, bytesMax)).byteLength)));
  app.onError((thrown, c) => c.text(thrown instanceof AppError ? thrown.code : String(thrown), 400));
  return async (body: string | ReadableStream) =>
    (await app.request("/", { method: "POST", body, duplex: "half" } as RequestInit)).text();
}

/** A body that begins and goes on when the test says so. */
function openBody(bytes: number) {
  const asked = Promise.withResolvers<void>();
  let close = () => {};
  let pulls = 0;
  const body = new ReadableStream({
    pull: (controller) => {
      pulls += 1;
      if (pulls === 1) controller.enqueue(new Uint8Array(bytes));
      else asked.resolve(); // it has read the beginning and waits for more
      close = () => controller.close();
    },
  });
  return { body, isUnderWay: asked.promise, end: () => close() };
}

test("a body is read to its end", async () => {
  const send = setUp();
  expect(await send("x".repeat(bytesMax))).toBe(String(bytesMax));
  expect(await send("x".repeat(bytesMax + 1))).toBe("too_large");
});

test("bodies under way share a limit, and give back what they took", async () => {
  const send = setUp();
  const held = openBody(600);
  const first = send(held.body);
  await held.isUnderWay;
  expect(await send("x".repeat(600))).toBe("busy");
  expect(await send("x".repeat(300))).toBe("300");
  held.end();
  expect(await first).toBe("600");
  expect(await send("x".repeat(600))).toBe("600");
});

test("what stands still gives back what it took, too", async () => {
  const send = setUp({ stallMs: 20 });
  expect(await send(openBody(600).body)).toBe("body_late");
  expect(await send("x".repeat(600))).toBe("600");
});

test("what breaks off is told apart", async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  expect(await setUp()(broken)).toBe("body_cut_off");
});
