// Writes each built file of text a second and a third time, compressed with brotli and gzip, so that the server only has to choose.
// Files that get no smaller, fonts and pictures among them, have none.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const compressible = /\.(js|css|svg)$/;
/** Below this there is nothing to win. */
const smallestBytes = 512;

export function compressFiles(): Plugin {
  let folder = "";
  return {
    name: "compress-files",
    apply: "build",
    configResolved({ root, build }) {
      folder = path.resolve(root, build.outDir, build.assetsDir);
    },
    closeBundle: () => {
      for (const name of readdirSync(folder)) if (compressible.test(name)) compressFile(path.join(folder, name));
    },
  };
}

function compressFile(file: string): void {
  const plain = readFileSync(file);
  if (plain.length < smallestBytes) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  writeIfSmaller(`${file}.br`, brotliCompressSync(plain, { params }), plain);
  writeIfSmaller(`${file}.gz`, gzipSync(plain, { level: 9 }), plain);
}

function writeIfSmaller(file: string, packed: Buffer, plain: Buffer): void {
  if (packed.length < plain.length) writeFileSync(file, packed);
}
