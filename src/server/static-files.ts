// The web pages: hashed assets that never change, and one page for every other address, with a fresh nonce each time.

import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { AppError } from "../lib/app-error.ts";
import { serveAssets } from "./serve-assets.ts";

const noncePlaceholder = "__CSP_NONCE__";
const pagesPlaceholder = "__PAGES__";

function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Which pages there are: all of them, or those of agents alone. The page itself reads it. */
export type PageSet = "all" | "agents";

/** Sends a page of ours with its nonce in place. */
export function sendPage(c: Context, html: string, pages: PageSet = "all"): Response {
  const nonce = randomBytes(16).toString("base64");
  c.header("content-security-policy", pagePolicy(nonce));
  c.header("cache-control", "no-cache");
  return c.html(html.replaceAll(noncePlaceholder, nonce).replaceAll(pagesPlaceholder, pages));
}

/** `webDir` holds the built pages; null where they were not built. */
export function mountStaticFiles(app: OpenAPIHono, webDir: string | null, pages: PageSet = "all"): void {
  if (webDir !== null) {
    app.get("/assets/*", serveAssets(webDir));
    for (const file of ["/favicon.svg", "/favicon.ico"]) app.get(file, serveStatic({ root: webDir }));
  }
  app.get("*", async (c) => {
    if (c.req.path.startsWith("/api/") || c.req.path.startsWith("/assets/") || /\.[a-z0-9]{2,5}$/.test(c.req.path))
      throw new AppError("not_found", "There is nothing at this address");
    return sendPage(c, await readIndex(webDir), pages);
  });
}

async function readIndex(webDir: string | null): Promise<string> {
  if (webDir === null)
    return "<!doctype html><title>Homework</title><p>The web pages are not built. Run <code>npm run build</code> in the Homework folder, then start Homework again.</p>";
  return readFile(path.join(webDir, "index.html"), "utf8");
}
