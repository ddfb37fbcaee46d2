import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseYaml } from "../../lib/yaml/parse-yaml.ts";
import { writePlain } from "./plain-yaml.ts";

const scalars = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "yes",
    "Null",
    "true",
    "~",
    "1",
    "0x1f",
    "1e3",
    "a: b",
    "a #b",
    "- a",
    "2026-11-17",
    "a b ",
    "",
    "/tmp/x y",
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
  fc.boolean(),
  fc.constant(null),
);
const keys = fc.string({ unit: "grapheme-ascii", minLength: 1 }).filter((key) => key !== "__proto__");
const values = fc.letrec<{ value: unknown; mapping: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalars, tie("mapping"), fc.array(scalars, { maxLength: 3 })),
  mapping: fc.dictionary(keys, tie("value"), { maxKeys: 5 }),
}));

property.prop([values.mapping])("what is written comes back, from any reader of YAML", (mapping) => {
  const text = writePlain(mapping);
  expect(parse(text)).toEqual({ ...mapping });
  expect(parseYaml(text)).toEqual({ kind: "value", value: { ...mapping } });
});

test("a record of ours is read without asking for YAML", () => {
  const value = {
    version: 1,
    run_id: "20261117-0005031727-13853",
    cwd: "/srv/garden",
    start_time: "2026-11-17T00:05:02.123Z",
    end_time: "",
    exit_code: -1,
    cost_usd: 0.25,
    commandline: 'sh -c "exit 1"',
    usage: { input_tokens: 1, output_tokens: 2 },
    agents: ["claude", "codex"],
    limit_ms: null,
  };
  expect(writePlain({ ...value, missing: undefined })).toBe(
    [
      "version: 1",
      "run_id: 20261117-0005031727-13853",
      "cwd: /srv/garden",
      "start_time: 2026-11-17T00:05:02.123Z",
      'end_time: ""',
      "exit_code: -1",
      "cost_usd: 0.25",
      'commandline: "sh -c \\"exit 1\\""',
      "usage:",
      "  input_tokens: 1",
      "  output_tokens: 2",
      'agents: ["claude","codex"]',
      "limit_ms: null",
      "",
    ].join("\n"),
  );
  expect(parseYaml(writePlain(value))).toEqual({ kind: "value", value });
});

test("a text that older readers of YAML take for a truth value comes back as text from them, too", () => {
  const words = ["yes", "No", "on", "OFF", "true", "False", "null", "y", "N"];
  const text = writePlain(Object.fromEntries(words.map((word, n) => [`a${n}`, word])));
  expect(Object.values(parse(text, { version: "1.1" }))).toEqual(words);
});
