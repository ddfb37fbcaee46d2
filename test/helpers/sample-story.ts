// What has happened to the outcomes of the sample world, as a server would have left it behind: attempts, checks of their results,
// a question, guidance, costs and times that fit each other. Written by a superuser, since rules of the tables look at each row as it comes.

import pg from "pg";

type Runs = { readonly running: string; readonly failed: readonly string[] };

const text = (value: string) => pg.escapeLiteral(value);
const json = (value: unknown) => text(JSON.stringify(value));
const ago = (minutes: number) => `run_now() - interval '${minutes} minutes'`;

async function write(admin: pg.Pool, statements: readonly string[]): Promise<void> {
  const opening = "begin; set local search_path = homework; set local session_replication_role = replica";
  await admin.query([opening, ...statements, "commit"].join(";\n"));
}

type Spent = {
  readonly owner: string;
  readonly run?: string;
  readonly outcome?: string;
  readonly cost: number;
  readonly at: string;
};

/** The row of the ledger for what a run or an outcome has spent, so that quotas and profiles count it too. */
const spend = ({ owner, run = "null", outcome = "null", cost, at }: Spent) =>
  `insert into llm_usage_logs (call_id, run_id, outcome_id, user_id, iteration, role, model, state, reserved_micro_usd, cost_micro_usd,
     input_tokens, output_tokens, created_at, settled_at, priced_by)
   select gen_random_uuid(), ${run}, ${outcome}, user_id, 1, 'executor', 'lab/model', 'settled', ${cost}, ${cost},
     ${Math.round(cost / 5)}, ${Math.round(cost / 20)}, ${at}, ${at}, 'table' from ${owner}`;

const noKey = "The provider of the picture model refused the key (401). No picture could be made.";

/** Tasks by their numbers: when each attempt began and ended, in minutes before now, how, and what it cost. */
const attempts = [
  {
    task: 1,
    attempt: 1,
    from: 540,
    to: 492,
    state: "failed",
    why: "Stopped at its limit with 9 of 12 lamps chosen.",
    cost: 340_000,
  },
  { task: 1, attempt: 2, from: 488, to: 451, state: "completed", why: "", cost: 420_000 },
  { task: 3, attempt: 1, from: 440, to: 431, state: "failed", why: noKey, cost: 60_000 },
  { task: 3, attempt: 2, from: 430, to: 424, state: "failed", why: noKey, cost: 50_000 },
  { task: 3, attempt: 3, from: 422, to: 415, state: "failed", why: noKey, cost: 50_000 },
] as const;

const seen = [
  {
    task: 1,
    attempt: 1,
    onTrack: false,
    score: 41,
    quality: "needs_work",
    summary: "The list stops after nine lamps and has no prices.",
  },
  {
    task: 1,
    attempt: 2,
    onTrack: true,
    score: 92,
    quality: "good",
    summary: "Twelve lamps with prices, suppliers and delivery times.",
  },
  {
    task: 3,
    attempt: 3,
    onTrack: false,
    score: 15,
    quality: "off_rails",
    summary: "No pictures: the provider of the picture model refused the key.",
  },
] as const;

/** Oldest first. */
const log = [
  {
    at: 491,
    type: "observation",
    task: 1,
    attempt: 1,
    says: "#1 “Choose the lamps to sell” is off course (41 of 100): The list stops after nine lamps and has no prices.",
  },
  { at: 490, type: "steering", task: 1, attempt: 1, says: "Told #1: name twelve lamps, each with its price" },
  {
    at: 450,
    type: "observation",
    task: 1,
    attempt: 2,
    says: "#1 “Choose the lamps to sell” is on course (92 of 100): Twelve lamps with prices, suppliers and delivery times.",
  },
  {
    at: 414,
    type: "observation",
    task: 3,
    attempt: 3,
    says: "#3 “Take pictures of all lamps” is off course (15 of 100): No pictures: the provider of the picture model refused the key.",
  },
  { at: 130, type: "escalation", task: 2, attempt: 0, says: "Asked: Which checkout should the shop have?" },
] as const;

const titles = [
  "Choose the lamps to sell",
  "Build the checkout form",
  "Take pictures of all lamps",
  "Publish the shop",
];

const options = [
  {
    id: "plain",
    label: "One page",
    description: "Address and payment on a single page.",
    implications: "Ready today. No saved addresses.",
    action: "proceed",
  },
  {
    id: "fail",
    label: "Step by step",
    description: "Address, delivery, payment, summary.",
    implications: "Takes a day longer, and lets buyers save their address.",
    action: "proceed",
  },
];

export async function tellOfLamps(admin: pg.Pool, outcomeId: string, runs: Runs): Promise<void> {
  const id = text(outcomeId);
  const taskOf = (number: number) => `(select id from outcome_tasks where outcome_id = ${id} and number = ${number})`;
  const set = (number: number, change: string) =>
    `update outcome_tasks set ${change} where outcome_id = ${id} and number = ${number}`;
  await write(admin, [
    ...titles.map((title, at) => set(at + 1, `title = ${text(title)}`)),
    `update outcome_tasks set created_at = ${ago(560)} where outcome_id = ${id}`,
    `insert into outcome_task_dependencies (outcome_id, task_id, depends_on)
     select ${id}, t.id, d.id from outcome_tasks t, outcome_tasks d
      where t.outcome_id = ${id} and d.outcome_id = ${id} and (t.number, d.number) in ((4, 2), (4, 3), (5, 1), (6, 5))`,
    set(
      1,
      `attempts = 2, ended_at = ${ago(451)}, run_id = (select run_id from outcome_task_attempts a where a.task_id = outcome_tasks.id and attempt = 2)`,
    ),
    set(3, `attempts = 3, ended_at = ${ago(415)}`),
    set(
      4,
      `gates = ${json([{ id: "gate_1", kind: "human_approval", label: "Go live", given: null, isAsked: false }])}`,
    ),
    set(5, `status = 'running', attempts = 1, run_id = ${text(runs.running)}`),
    ...runs.failed.map(
      (runId, at) =>
        `insert into outcome_task_attempts (task_id, attempt, run_id, state, is_observed, ended_at)
         values (${taskOf(3)}, ${at + 1}, ${text(runId)}, 'failed', ${at === 2}, run_now())`,
    ),
    `insert into outcome_task_attempts (task_id, attempt, run_id, state, started_at) values (${taskOf(5)}, 1, ${text(runs.running)}, 'running', ${ago(35)})`,
    ...attempts.flatMap((each) => tellOfAttempt(each, taskOf(each.task))),
    `update homework_runs set objective = 'Write the page about brass lamps', outcome_task_id = ${taskOf(5)}, status = 'running', has_slot = true,
       created_at = ${ago(35)}, started_at = ${ago(35)},
       running_ms = 2100000, cost_micro_usd = 180000, tokens = 61000 where id = ${text(runs.running)}`,
    spend({
      owner: `homework_runs where id = ${text(runs.running)}`,
      run: text(runs.running),
      cost: 180_000,
      at: ago(5),
    }),
    spend({ owner: `outcomes where id = ${id}`, outcome: id, cost: 40_000, at: ago(400) }),
    `delete from homr_observations where outcome_id = ${id}`,
    ...seen.map(
      (
        each,
      ) => `insert into homr_observations (id, outcome_id, task_id, attempt, has_succeeded, observed_by, on_track, alignment_score, quality,
        discoveries, summary, steering_max, is_tainted, created_at) values (gen_random_uuid(), ${id}, ${taskOf(each.task)}, ${each.attempt}, ${each.onTrack}, 'model',
        ${each.onTrack}, ${each.score}, '${each.quality}', ${json(each.onTrack ? [discovery] : [])}, ${text(each.summary)}, 5, false, ${ago(450)})`,
    ),
    `delete from homr_activity_log where outcome_id = ${id}`,
    ...log.map(
      (line, at) => `insert into homr_activity_log (outcome_id, seq, type, task_id, cause, summary, details, created_at)
        select ${id}, ${at + 1}, '${line.type}', ${taskOf(line.task)}, ${causeOf(line, outcomeId)}, ${text(line.says)}, ${detailsOf(line)}, ${ago(line.at)}`,
    ),
    `delete from homr_reviews where outcome_id = ${id}`,
    ...tellOfQuestions(id),
    ...tellOfWords(id),
    `update outcome_designs set text = ${text(firstApproach)}, created_at = ${ago(555)} where outcome_id = ${id} and version = 1`,
    `update outcome_designs set text = ${text(approach)}, created_at = ${ago(480)} where outcome_id = ${id} and version = 2`,
    `update outcomes set status = 'active', created_at = ${ago(560)}, updated_at = ${ago(35)}, cost_micro_usd = 960000, tokens = 412000,
       tasks_observed = 3, discoveries_extracted = 1, steering_actions = 1, escalations_created = 2, last_seq = ${log.length},
       intent = ${json(intent)} where id = ${id}`,
  ]);
}

const discovery = {
  type: "constraint",
  content: "The supplier of brass lamps delivers on Tuesdays only",
  relevantTasks: ["*"],
  source: "its price list",
};

const intent = {
  summary: "A small shop on the web that sells twelve lamps.",
  items: [],
  successCriteria: ["A lamp can be bought", "Every lamp has a picture and a price"],
};

const firstApproach = `# One plain page per lamp

1. Choose twelve lamps.
2. Take pictures and write the pages.
3. Build the checkout, then publish.
`;

const approach = `# One plain page per lamp

1. Choose twelve lamps and note their prices.
2. Take pictures and write the pages.
3. Build the checkout, then publish.
`;

function tellOfAttempt(each: (typeof attempts)[number], taskId: string): readonly string[] {
  const ran = `(select run_id from outcome_task_attempts where task_id = ${taskId} and attempt = ${each.attempt})`;
  const end =
    each.state === "completed"
      ? `proofs = '[{"checkId":"pages","isGreen":true,"seen":"12 lamps","artifacts":[],"iteration":3}]'`
      : `detail = ${text(each.why)}`;
  return [
    `update outcome_task_attempts set state = '${each.state}', why = ${text(each.why)}, cost_micro_usd = ${each.cost},
       started_at = ${ago(each.from)}, ended_at = ${ago(each.to)} where task_id = ${taskId} and attempt = ${each.attempt}`,
    `update homework_runs set objective = (select title from outcome_tasks where id = ${taskId}), outcome_task_id = ${taskId}, status = '${each.state}', ${end},
       created_at = ${ago(each.from)}, started_at = ${ago(each.from)}, ended_at = ${ago(each.to)}, running_ms = ${(each.from - each.to) * 60_000},
       cost_micro_usd = ${each.cost}, tokens = ${Math.round(each.cost / 4)} where id = ${ran}`,
    spend({ owner: `homework_runs where id = ${ran}`, run: ran, cost: each.cost, at: ago(each.to) }),
  ];
}

function detailsOf({ type, task, attempt }: (typeof log)[number]): string {
  const verdict =
    type === "observation" ? seen.find((each) => each.task === task && each.attempt === attempt) : undefined;
  return json(verdict === undefined ? {} : { on_track: verdict.onTrack });
}

function causeOf({ task, attempt }: (typeof log)[number], outcomeId: string): string {
  if (attempt === 0) return json({ kind: "ambiguity" });
  return `(select jsonb_build_object('kind', 'discovery', 'observationId', v.id) from homr_observations v join outcome_tasks t on t.id = v.task_id
    where v.outcome_id = ${text(outcomeId)} and t.number = ${task} and v.attempt = ${attempt})`;
}

const tellOfQuestions = (id: string): readonly string[] => [
  `update homr_escalations set question = 'Which checkout should the shop have?', options = ${json(options)}, created_at = ${ago(130)},
     context = 'Both work with the chosen payment service. The choice decides what #2 builds.' where outcome_id = ${id} and status = 'pending'`,
  `update homr_escalations set question = 'May the shop sell second-hand lamps?', context = '', created_at = ${ago(530)}, answered_at = ${ago(510)}
    where outcome_id = ${id} and status = 'answered'`,
];

const tellOfWords = (id: string): readonly string[] => [
  `update outcome_interventions set created_at = ${ago(545)} where outcome_id = ${id}`,
  `update outcome_interventions set message = 'Prices include tax', created_at = ${ago(300)} where outcome_id = ${id}
     and ctid = (select max(ctid) from outcome_interventions where outcome_id = ${id})`,
  `update homr_memories set content = case when ctid = (select min(ctid) from homr_memories where outcome_id = ${id})
     then 'Payment gateways throttle at night: test payments during the day'
     else 'Pictures of brass need soft light, or every lamp looks like gold' end,
     created_at = ${ago(445)}, updated_at = ${ago(60)}, times_used = 4, times_helped = 3, is_tainted = false where outcome_id = ${id}`,
];

/** The first rooms are listed and photographed, one is being packed, one task failed. */
export async function tellOfMuseum(admin: pg.Pool, outcomeId: string): Promise<void> {
  const id = text(outcomeId);
  const done = [1, 2, 3, 7, 8, 13, 14, 19, 45, 46];
  await write(admin, [
    `update outcome_tasks set status = 'completed', attempts = 1, ended_at = ${ago(60)} where outcome_id = ${id} and number in (${done})`,
    `update outcome_tasks set status = 'failed', attempts = 3, ended_at = ${ago(50)} where outcome_id = ${id} and number = 25`,
    `update outcomes set status = 'paused', created_at = ${ago(900)}, updated_at = ${ago(50)}, cost_micro_usd = 3120000 where id = ${id}`,
    spend({ owner: `outcomes where id = ${id}`, outcome: id, cost: 3_120_000, at: ago(60) }),
  ]);
}
