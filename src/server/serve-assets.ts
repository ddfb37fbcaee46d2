// The hashed files of the web pages. Each was compressed when it was built; the best form that the client takes is sent.

import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Context } from "hono";
import { getMimeType } from "hono/utils/mime";
import { AppError } from "../lib/app-error.ts";
import { acceptedEncodings, type Encoding } from "./accept-encoding.ts";

const suffixes: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" };

/** A name as the build gives it: no folder, nothing hidden, and not the compressed form itself. */
const fileName = /^\/assets\/([\w~-][\w.~-]*\.(?!br$|gz$)\w+)$/;

export function serveAssets(webDir: string) {
  return async (c: Context): Promise<Response> => {
    const name = fileName.exec(c.req.path)?.[1];
    const found = name === undefined ? null : await readBest(path.join(webDir, "assets", name), c);
    if (name === undefined || found === null) throw new AppError("not_found", "There is nothing at this address");
    c.header("content-type", getMimeType(name) ?? "application/octet-stream");
    c.header("content-length", String(found.body.length));
    // The name changes with what is in the file, so browsers never have to ask again.
    c.header("cache-control", "public, max-age=31536000, immutable");
    c.header("vary", "accept-encoding", { append: true });
    if (found.encoding !== null) c.header("content-encoding", found.encoding);
    return c.body(found.body);
  };
}

type Found = { readonly body: Buffer<ArrayBuffer>; readonly encoding: Encoding | null };

async function readBest(file: string, c: Context): Promise<Found | null> {
  for (const encoding of acceptedEncodings(c.req.header("accept-encoding"))) {
    const body = await readIfThere(`${file}${suffixes[encoding]}`);
    if (body !== null) return { body, encoding };
  }
  const body = await readIfThere(file);
  return body && { body, encoding: null };
}

async function readIfThere(file: string): Promise<Buffer<ArrayBuffer> | null> {
  try {
    return await readFile(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw cause;
  }
}
