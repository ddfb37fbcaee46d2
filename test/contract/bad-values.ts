// Values that no field of a kind may hold. The kinds are this page's own: a field of the contract that it does not know
// fails the test that uses it.

type FieldKind =
  | ("text" | "line" | "key" | "word" | "email" | "bag" | "number" | "time" | "id" | "list" | "flag")
  | ("model" | "secret" | "modelNames" | "amount")
  | ("name" | "names" | "messageId" | "messageIds" | "address")
  | ("intent" | "outcomeTasks" | "homr" | "autoResolve" | "gates" | "parts" | "usd")
  | (
      | "ids"
      | "budgets"
      | "permissions"
      | "criteria"
      | "answers"
      | "foreignTexts"
      | "models"
      | "refs"
      | "decisions"
      | "preferences"
    );

/** Every field that a body of the contract has. */
const fieldKinds: Readonly<Record<string, FieldKind>> = {
  name: "line",
  judge: "flag",
  time_zone: "word",
  title: "line",
  description: "text",
  content: "text",
  password: "text",
  current_password: "text",
  bootstrap_token: "text",
  user_id: "id",
  monthly_usd: "amount",
  storage_bytes: "amount",
  run_cost_usd: "usd",
  allowed_models: "modelNames",
  runs_at_once: "number",
  new_password: "text",
  email: "email",
  type_key: "key",
  rel: "key",
  state_key: "word",
  role: "word",
  props: "bag",
  version: "number",
  priority: "number",
  expires_in_days: "number",
  due_at: "time",
  parent_id: "id",
  src_id: "id",
  dst_id: "id",
  scopes: "list",
  disabled: "flag",
  url: "address",
  events: "list",
  is_on: "flag",
  is_archived: "flag",
  objective: "line",
  foreign_texts: "foreignTexts",
  work_folder: "line",
  message: "line",
  path: "line",
  engine: "word",
  scope: "word",
  context_type: "word",
  entity_id: "id",
  project_ids: "ids",
  iteration: "number",
  budgets: "budgets",
  permissions: "permissions",
  completion_criteria: "criteria",
  answers: "answers",
  models: "models",
  skip: "refs",
  force: "refs",
  text: "line",
  decisions: "decisions",
  prompt: "line",
  new_project: "flag",
  task_id: "name",
  attach_mode: "word",
  project_root: "line",
  agent: "name",
  depends_on: "names",
  reason: "line",
  type: "name",
  question_id: "messageId",
  parents: "messageIds",
  run_id: "name",
  preferences: "preferences",
  brief: "line",
  intent: "intent",
  approach: "line",
  tasks: "outcomeTasks",
  project_id: "id",
  workers: "number",
  run_budgets: "budgets",
  max_cost_usd: "usd",
  homr: "homr",
  config: "homr",
  auto_resolve: "autoResolve",
  start: "flag",
  max_attempts: "number",
  gates: "gates",
  parts: "parts",
  in_order: "flag",
  why: "text",
  given: "line",
  selected_option: "line",
  additional_context: "text",
  importance: "word",
  model: "model",
  key: "secret",
};

const nul = "a\u0000b";
const half = "a\ud800b";
const otherHalf = "\udc00";

/** As JSON text, since some of them no value of JavaScript can say. */
const json = (value: unknown) => JSON.stringify(value);

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

const notText = [12, true, [], {}].map(json);
const badText = [...notText, ...[nul, half, otherHalf, "x".repeat(20_001)].map(json), "null"];

const badValues: Readonly<Record<FieldKind, readonly string[]>> = {
  text: badText,
  line: [...badText, json(""), json(" \n\t ")],
  key: [...notText, ...["", "Upper", "a b", "a..b", "../x", nul, half, "x".repeat(121)].map(json)],
  word: [...notText, ...["", "nonsense", "__proto__", "constructor", nul].map(json)],
  email: [
    ...notText,
    ...["", "x", "a@", `a${nul}@x.test`, `${"a".repeat(250)}@x.test`, "a@x.test\nbcc: b@x.test"].map(json),
  ],
  bag: [
    ...["x", 1, null, [1], { [nul]: 1 }, { a: nul }, { a: [{ b: half }] }, { [half]: 1 }].map(json),
    ...[{ a: "x".repeat(70_000) }, { a: "ä".repeat(40_000) }].map(json),
    nested(14),
    nested(100_000),
    `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    '{"a":1e999}',
    '{"a":-1e999}',
    '{"__proto__":{"polluted":true}}',
    '{"a":{"__proto__":{"polluted":true}}}',
  ],
  number: ["x", "1", true, [], {}, 0, -1, 1.5, 1e21, 2 ** 53, 2 ** 31, 4_000_000_000].map(json).concat("1e999"),
  time: [
    ...[1, true, {}, "", "yesterday", "2026-01-01", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z"],
    ...["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+12:00", "9999-12-31T23:59:59-12:00", "99999-01-01T00:00:00Z"],
    ...["-0001-01-01T00:00:00Z", "+012026-01-01T00:00:00Z", "2026-01-01T25:00:00Z", "infinity", nul],
  ].map(json),
  id: [1, true, {}, "", "x", "../..", nul, "00000000-0000-0000-0000-00000000000", "x".repeat(5_000)].map(json),
  name: [...notText, ...["", " ", "a b", "../x", "a/b", nul, half, "x".repeat(5_000)].map(json)],
  modelNames: [1, {}, "x", [1], [null], [""], [nul], ["x".repeat(201)], Array(101).fill("x")].map(json),
  amount: ["x", "1", true, [], {}, -1, 1e21].map(json).concat("1e999"),
  names: [1, {}, "x", ["a b"], ["../x"], [1], [null], [nul], Array(51).fill("x")].map(json).concat("null"),
  address: [
    ...notText,
    ...["", " ", "x", "ftp://hook.example", nul, half, `https://hook.example/${"x".repeat(2_000)}`].map(json),
  ],
  messageId: [...notText, ...["", nul, "a\nb", "x".repeat(201)].map(json)],
  messageIds: [1, {}, "x", [1], [null], [nul], [""], Array(21).fill("x")].map(json).concat("null"),
  list: [1, {}, "read", [], ["nonsense"], [1], [null], ["read", "read", "read", "read"]].map(json).concat("null"),
  flag: ["true", 1, 0, [], {}].map(json).concat("null"),
  ids: [1, {}, "x", ["x"], [1], [null], [[]], [nul], Array(51).fill("00000000-0000-7000-8000-000000000000")]
    .map(json)
    .concat("null"),
  budgets: [
    ...["x", 1, [1], { nonsense: 1 }, { max_iterations: null }, { max_wall_clock_ms: null }, { hard: "yes" }].map(json),
    ...["max_iterations", "max_wall_clock_ms", "max_cost_usd", "max_total_tokens", "max_tool_calls"].flatMap((name) =>
      ["-1", "0", "1e21", "1e999", '"5"', "[]", "{}", "true"].map((value) => `{"${name}":${value}}`),
    ),
    ...["max_iterations", "max_wall_clock_ms", "max_total_tokens", "max_tool_calls"].map((name) => `{"${name}":1.5}`),
    '{"max_cost_usd":0.0000001}',
    nested(100_000),
    '{"__proto__":{"max_iterations":1}}',
    "null",
  ],
  permissions: [
    ...["x", 1, [], { write_mode: "nonsense" }, { write_mode: null }, { nonsense: 1 }, { allowed_tools: "x" }].map(
      json,
    ),
    ...[{ allowed_tools: [1] }, { allowed_tools: [nul] }, { allowed_tools: Array(201).fill("x") }].map(json),
    "null",
  ],
  criteria: [
    ...["x", 1, {}, [1], [null], [[]], [{}], [{ kind: "nonsense" }], [{ kind: "plan_complete" }]].map(json),
    ...[[{ kind: "judge" }], [{ kind: "judge", rubric: " " }], [{ kind: "judge", rubric: "x", more: 1 }]].map(json),
    ...[[{ kind: "http_ok", url: "file:///etc/passwd" }], [{ kind: "http_ok", url: "javascript:alert(1)" }]].map(json),
    ...[[{ kind: "entity_count", entity: "task", at_least: 0 }], [{ kind: "file_exists", path: nul }]].map(json),
    ...[[{ kind: "command_succeeds", program: "" }], Array(51).fill({ kind: "judge", rubric: "x" })].map(json),
    "null",
  ],
  models: [
    ...["x", 1, [], true, { cook: "demo/rules" }, { planner: null }, { planner: 1 }, { planner: ["x"] }].map(json),
    ...["", " ", "a b", nul, half, "x".repeat(201), "a\nb"].map((planner) => json({ planner })),
    '{"__proto__":{"planner":"demo/rules"}}',
  ],
  model: [
    ...notText,
    ...["", " ", "rules", "/rules", "demo/", "demo/a b", "demo/a\nb", nul, half, `demo/${"x".repeat(200)}`].map(json),
  ],
  secret: [...notText, ...["", " ", "a b", "a\nb", "schlüssel", nul, half, "x".repeat(501)].map(json), "null"],
  intent: [
    ...["x", 1, [], true, { nonsense: 1 }, { summary: 1 }, { summary: nul }, { items: {} }, { items: [1] }].map(json),
    ...[{ items: [{}] }, { items: [{ title: " " }] }, { items: [{ title: "x", priority: "urgent" }] }].map(json),
    ...[{ success_criteria: [""] }, { success_criteria: "x" }, { success_criteria: Array(31).fill("x") }].map(json),
    "null",
  ],
  outcomeTasks: [
    ...["x", 1, {}, [1], [null], [{}], [[]], [{ title: " " }], [{ title: "x", more: 1 }], [{ title: nul }]].map(json),
    ...[[{ title: "x", depends_on: [2] }], [{ title: "x", depends_on: [1] }], [{ title: "x", depends_on: ["1"] }]].map(
      json,
    ),
    json([
      { title: "x", depends_on: [2] },
      { title: "y", depends_on: [1] },
    ]),
    ...[[{ title: "x", priority: 0 }], [{ title: "x", max_attempts: 1.5 }], Array(51).fill({ title: "x" })].map(json),
    "null",
  ],
  homr: [
    ...["x", 1, [], true, { nonsense: 1 }, { enabled: "yes" }, { observation_model: "" }].map(json),
    ...[{ max_discoveries: 0 }, { escalation_threshold: "never" }, { failure_patterns: { more: 1 } }].map(json),
    ...[{ failure_patterns: { lookback_count: 0 } }, { max_context_size: 1 }, { maxDiscoveries: 5 }].map(json),
    "null",
  ],
  autoResolve: [
    ...["x", 1, [], true, { nonsense: 1 }, { mode: "always" }, { threshold: 2 }, { threshold: "high" }].map(json),
    "null",
  ],
  gates: [
    ...["x", 1, {}, [1], [{}], [{ kind: "human_approval" }], [{ kind: "password", label: "x" }]].map(json),
    ...[[{ kind: "human_approval", label: " " }], Array(11).fill({ kind: "human_approval", label: "x" })].map(json),
    "null",
  ],
  parts: [
    ...["x", 1, {}, [], [1], [{}], [{ title: "x" }], [{ title: "x" }, { title: " " }]].map(json),
    ...[[{ title: "x" }, { title: "y", more: 1 }], Array(16).fill({ title: "x" })].map(json),
    "null",
  ],
  usd: ["x", "1", true, [], {}, 0, -1, 1e21, 0.000_000_1].map(json).concat("1e999"),
  refs: [
    ...[
      "x",
      1,
      {},
      [1],
      [null],
      [[]],
      [nul],
      ["task"],
      ["task:"],
      ["task:x"],
      [":x"],
      ["user:00000000-0000-7000-8000-000000000000"],
    ],
    ...[Array(2_001).fill("task:00000000-0000-7000-8000-000000000000"), ["x".repeat(5_000)]],
  ]
    .map(json)
    .concat("null"),
  decisions: [
    ...["x", 1, {}, [], [1], [null], [{}], [[]], [{ decision: "approve" }], [{ decision: "maybe" }]].map(json),
    ...[
      [{ call_id: "call_2_1" }],
      [{ call_id: "call_2_1", decision: "maybe" }],
      [{ call_id: 1, decision: "reject" }],
    ].map(json),
    ...[
      [{ call_id: "call_2_1", decision: "reject", more: 1 }],
      Array(200).fill({ call_id: "x", decision: "reject" }),
    ].map(json),
    json(["approve", "reject"].map((decision) => ({ call_id: "call_2_1", decision }))),
    "null",
  ],
  preferences: [
    ...["x", 1, {}, true, [1], [null], [{}], [[]], [{ event: "failed" }], [{ event: "failed", in_app: true }]].map(
      json,
    ),
    ...["sneezed", "", 1, null, "__proto__", nul].map((event) => json([{ event, in_app: true, browser: true }])),
    ...["true", 1, null].map((browser) => json([{ event: "failed", in_app: true, browser }])),
    json([{ event: "failed", in_app: true, browser: true, more: 1 }]),
    json([true, false].map((browser) => ({ event: "failed", in_app: true, browser }))),
    "null",
  ],
  foreignTexts: [
    ...["x", 1, {}, ["x"], [null], [{}], [{ title: "x" }], [{ text: "x", more: 1 }]].map(json),
    ...["", " ", nul, half, "x".repeat(32_001), 1, null].map((text) => json([{ text }])),
    ...[nul, half, "x".repeat(201), 1, null].map((title) => json([{ title, text: "x" }])),
    json(Array.from({ length: 6 }, () => ({ text: "x" }))),
    json(Array.from({ length: 2 }, () => ({ text: "x".repeat(20_000) }))),
    "null",
  ],
  answers: [
    ...["x", 1, {}, [], [1], [null], [{}], [{ question_id: "question_1" }], [{ text: "x" }]].map(json),
    ...["", " ", nul, half, "x".repeat(20_001), 1, null].map((text) => json([{ question_id: "question_1", text }])),
    ...[1, nul, "x".repeat(201), null].map((question_id) => json([{ question_id, text: "x" }])),
    json(["a", "b"].map((text) => ({ question_id: "question_1", text }))),
    json(Array.from({ length: 21 }, (_, n) => ({ question_id: `question_${n}`, text: "x" }))),
    json([{ question_id: "question_1", text: "x", more: 1 }]),
    "null",
  ],
};

/** Fields that may be longer than other texts. */
const longest: Readonly<Record<string, number>> = {
  content: 3_000_000,
  objective: 32_000,
  brief: 32_000,
  approach: 256 * 1024,
  prompt: 256 * 1024,
  message: 256 * 1024,
  text: 256 * 1024,
};

export function badValuesOf(field: string): readonly string[] {
  const kind = fieldKinds[field];
  if (!kind) throw new Error(`say in bad-values.ts what kind of field "${field}" is`);
  const most = longest[field];
  if (most === undefined) return badValues[kind];
  return badValues[kind].map((value) => (value.length > 20_000 ? json("x".repeat(most + 1)) : value));
}

/** The JSON of an object with one field replaced by this text. */
export function withField(body: unknown, field: string, value: string): string {
  const rest = Object.entries(body as object).filter(([name]) => name !== field);
  return `{${[...rest.map(([name, kept]) => `${json(name)}:${json(kept)}`), `${json(field)}:${value}`].join(",")}}`;
}

/** Bodies that are no object, or not JSON at all. */
export const notObjects: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  "",
  " ",
  "{",
  '{"a":1}}',
  "{'a':1}",
  "undefined",
  "NaN",
  "null",
  "true",
  "1",
  '"text"',
  "[]",
  "[{}]",
  "{}{}",
  "[".repeat(100_000),
  new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), // {"\xff\xfe":1}
  new Uint8Array([0xff, 0xd8, 0xff]),
];
