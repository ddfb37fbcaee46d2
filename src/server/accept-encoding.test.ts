import { expect, test } from "vitest";
import { acceptedEncodings } from "./accept-encoding.ts";

test.for([
  ["gzip, deflate, br, zstd", ["br", "gzip"]],
  ["gzip", ["gzip"]],
  ["GZIP", ["gzip"]],
  ["*", ["br", "gzip"]],
  ["*, br;q=0", ["gzip"]],
  ["br;q=0, gzip;q=0.1", ["gzip"]],
  ["br;q=0.2, gzip;q=0.9", ["gzip", "br"]],
  ["br;q=nonsense", []],
  ["identity", []],
  ["", []],
  [undefined, []],
] as const)("%s allows %o", ([header, encodings]) => {
  expect(acceptedEncodings(header)).toEqual(encodings);
});
