import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { OpenAPIHono } from "@hono/zod-openapi";
import { afterAll, expect, test } from "vitest";
import { AppError } from "../lib/app-error.ts";
import { mountStaticFiles } from "./static-files.ts";

const folder = mkdtempSync(path.join(tmpdir(), "homework-assets-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, "assets"));
const script = "export const words = 'the same words again and again';\n".repeat(40);
writeFileSync(path.join(folder, "index.html"), "<!doctype html><title>Homework</title>");
writeFileSync(path.join(folder, "secret.js"), "not for anyone");
writeFileSync(path.join(folder, "assets", "app-1a2b.js"), script);
writeFileSync(path.join(folder, "assets", "small-1.css"), "a{}");
writeFileSync(path.join(folder, "assets", "app-1a2b.js.br"), brotliCompressSync(script));
writeFileSync(path.join(folder, "assets", "app-1a2b.js.gz"), gzipSync(script));

const app = new OpenAPIHono();
app.onError((error, c) => c.text(error.message, error instanceof AppError && error.code === "not_found" ? 404 : 500));
mountStaticFiles(app, folder);
const get = (address: string, encodings?: string) =>
  app.request(address, encodings === undefined ? {} : { headers: { "accept-encoding": encodings } });
const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

test.for([
  ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
  ["gzip, br;q=0", "gzip", gunzipSync],
  ["br;q=0, gzip;q=0", null, (plain: Buffer) => plain],
  [undefined, null, (plain: Buffer) => plain],
] as const)("a client that accepts %s is sent %s", async ([accepts, encoding, unpack]) => {
  const answer = await get("/assets/app-1a2b.js", accepts);
  const body = await bytes(answer);
  expect(unpack(body).toString()).toBe(script);
  expect(answer.headers.get("content-encoding")).toBe(encoding);
  expect(answer.headers.get("content-length")).toBe(String(body.length));
  expect(answer.headers.get("content-type")).toContain("javascript");
  expect(answer.headers.get("vary")).toBe("accept-encoding");
});

test("a file with no compressed form is sent as it is", async () => {
  const answer = await get("/assets/small-1.css", "br, gzip");
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(await answer.text()).toBe("a{}");
});

test("hashed files are kept for good, the page is asked for each time", async () => {
  const file = await get("/assets/app-1a2b.js");
  const page = await get("/homework");
  expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(page.headers.get("cache-control")).toBe("no-cache");
});

test.for([
  "/assets/../secret.js",
  "/assets/..%2fsecret.js",
  "/assets/%2e%2e/secret.js",
  "/assets/%2e%2e%2fsecret.js",
  "/assets/..\\secret.js",
  "/assets//../secret.js",
  "/assets/app-1a2b.js.br",
  "/assets/app-1a2b.js.gz",
  "/assets/missing.js",
  "/assets/",
])("%s is not there", async (address) => {
  const answer = await app.request(new Request(`http://localhost${address}`));
  expect([answer.status, (await answer.text()).includes("not for anyone")]).toEqual([404, false]);
});
