// The body of an answer, unpacked and cut at a limit: a small file that unpacks to gigabytes is stopped, not swallowed.

import type http from "node:http";
import { pipeline, type Readable } from "node:stream";
import zlib from "node:zlib";

export type Body =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly isCut: boolean }
  | { readonly kind: "unknown_encoding" }
  | { readonly kind: "broken" };

export async function readBody(response: http.IncomingMessage, bytesMax: number): Promise<Body> {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const unpacked = unpack(response, encoding);
  if (unpacked === null) return { kind: "unknown_encoding" };
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of unpacked) {
      const bytes = chunk as Uint8Array;
      chunks.push(bytes.subarray(0, bytesMax - size));
      size += bytes.length;
      if (size > bytesMax) break; // leaving the loop destroys the streams
    }
  } catch {
    return { kind: "broken" };
  }
  return { kind: "bytes", bytes: Buffer.concat(chunks), isCut: size > bytesMax };
}

/** Null for encodings we did not ask for, and for several at once. */
function unpack(response: http.IncomingMessage, encoding: string): Readable | null {
  if (encoding === "identity" || encoding === "") return response;
  const unpacker = unpackerOf(encoding);
  // Errors reach the caller when it reads the result.
  return unpacker === null ? null : pipeline(response, unpacker, () => {});
}

function unpackerOf(encoding: string): zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress | null {
  if (encoding === "gzip" || encoding === "x-gzip") return zlib.createGunzip();
  if (encoding === "deflate") return zlib.createInflate();
  return encoding === "br" ? zlib.createBrotliDecompress() : null;
}
