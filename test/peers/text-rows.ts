// Cases of peers about reading texts: status blocks, promises, boxes of a plan, questions in prose, limits of providers.

import { judgeBoxes } from "../../src/domain/plan/plan-boxes.ts";
import { asksReader } from "../../src/domain/run/output/asks.ts";
import { type AgentSpeech, type EndingFacts, endingOf } from "../../src/domain/run/provider/provider-limit.ts";
import { block, lastDecision, type Row, saying, saysDone } from "./play.ts";

const done = block("EXIT_SIGNAL: true");
const notDone = block("EXIT_SIGNAL: false");
const indented = (text: string) => text.replaceAll(/^/gm, "    ");
const json = (result: string) => JSON.stringify({ type: "result", result, session_id: "s" });

/** Id, what it is about, the text, whether it claims to be done, why we differ. */
type TextRow = readonly [string, string, string, boolean, string?];

const statusBlocks: readonly TextRow[] = [
  ["status-block-001", "a JSON answer full of praise", json("Implementation complete. Setup is done."), false],
  [
    "status-block",
    "a block that says complete and not to exit",
    block("STATUS: COMPLETE", "EXIT_SIGNAL: false"),
    false,
  ],
  ["status-block-003", "prose that says all is done", "All tasks are done. The implementation is complete.", false],
  ["status-block-005", "a block at the start of a line", `Summary of the work.\n\n${done}\n`, true],
  ["status-block", "the same with false", `Summary of the work.\n\n${notDone}\n`, false],
  ["status-block-007", "a block in the result of a JSON answer", json(`It works.\n\n${done}`), true],
  ["status-block", "the same with false", json(`It works.\n\n${notDone}`), false],
  [
    "status-block-009",
    "its name in one sentence, the signal in another",
    "I print BUILDOS_HOMEWORK_STATUS: at the end. Then EXIT_SIGNAL: true follows.",
    false,
  ],
  [
    "status-block",
    "the same in a JSON answer",
    json("I print BUILDOS_HOMEWORK_STATUS: at the end.\nEXIT_SIGNAL: true follows."),
    false,
  ],
  ["status-block-011", "an indented block", indented(done), true],
  ["status-block", "an indented block with false", indented(notDone), false],
  [
    "status-block",
    "fields as deep as the name",
    "BUILDOS_HOMEWORK_STATUS:\nexit_signal: true\nremaining_work: []\n",
    true,
  ],
  [
    "status-block",
    "the peer's own block",
    "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---",
    false,
  ],
  ["status-block", "JSON in a string in a JSON answer", json(JSON.stringify(json(done))), true],
  [
    "status-block",
    "the last event of a stream",
    `{"type":"system"}\n{"type":"user","message":${JSON.stringify(done)}}\n${json(done)}\n`,
    true,
  ],
  [
    "status-block",
    "a tool's event of a stream",
    `{"type":"user","message":${JSON.stringify(done)}}\n${json("Looked at it.")}`,
    false,
  ],
  ["status-block", "a stream whose last event is cut off", `{"type":"system"}\n${json(done).slice(0, -3)}`, false],
  [
    "status-block",
    "an answer that is an error",
    JSON.stringify({ type: "result", is_error: true, result: done }),
    false,
  ],
  ["status-block", "what a tool printed", `<tool_result>\n${done}\n</tool_result>\nStill at it.`, false],
  ["status-block", "a quote", done.replaceAll(/^/gm, "> "), false],
  ["status-block", "a diff", done.replaceAll(/^/gm, "+"), false],
  ["status-block", "two blocks that agree", `${done}\n\n${done}`, true],
  ["status-block", "two blocks that do not", `${done}\n\n${notDone}`, false],
  ["status-block", "one field twice in two spellings", block("EXIT_SIGNAL: true", "exit_signal: false"), false],
  ["status-block", "the contract's example before the answer", `${block("exit_signal: true|false")}\n\n${done}`, true],
  ["status-block", "the contract's example alone", block("exit_signal: true|false"), false],
  [
    "status-block",
    "done, and something remains",
    block("EXIT_SIGNAL: true", "REMAINING_WORK:", "  - the summary"),
    false,
  ],
  ["status-block", "done, and the user is needed", block("exit_signal: true", "needs_user_input: true"), false],
  ["status-block", "a fence that is cut off", `\`\`\`yaml\n${done}`, false],
  ["status-block", "a block that is cut off in a field", block("exit_signal: true", "remaining_work:"), false],
  [
    "status-block",
    "tabs, colours and Windows line ends",
    "\u001b[32mBUILDOS_HOMEWORK_STATUS:\u001b[0m\r\n\texit_signal: true\r\n",
    true,
  ],
  ["edge-001", "nothing at all", "", false],
  ["edge", "zero bytes", "\0\0\0BUILDOS_HOMEWORK_STATUS:\0\n", false],
  ["edge-003", "a block without colons", "BUILDOS_HOMEWORK_STATUS\n  EXIT_SIGNAL true\n", false],
  ["edge", "a hundred kilobytes of praise", "All done. ".repeat(10_000), false],
  [
    "edge-005",
    "fields we do not know beside the signal",
    block("MOOD: fine", "TASKS_LEFT: 3", "EXIT_SIGNAL: true"),
    true,
  ],
  ["edge", "other scripts around the block", `Готово ✅ 完了\n${done}\n— конец`, true],
];

const noPromises =
  "the peer ends on this word; a word is no claim of ours, as it says neither what remains nor what shows it";
const promises: readonly TextRow[] = [
  ["promise-001", "the promise alone", "LOOP_COMPLETE", false, noPromises],
  ["promise", "the promise as the last line", "All done!\nLOOP_COMPLETE", false, noPromises],
  ["promise-003", "the promise and blanks", "LOOP_COMPLETE   \n\n", false, noPromises],
  ["promise", "the promise in a sentence", "prefix LOOP_COMPLETE suffix", false],
  ["promise-005", "the promise before more text", "LOOP_COMPLETE\nMore text", false],
  ["promise-007", "the promise in an event", '<event topic="build.task">Fix LOOP_COMPLETE detection</event>', false],
  [
    "promise-009",
    "the promise in an event and outside",
    'All tasks done. LOOP_COMPLETE\n<event topic="summary">Completed LOOP_COMPLETE task</event>',
    false,
  ],
  ["promise", "the promise in its tag", "<promise>COMPLETE</promise>", false, noPromises],
  ["promise-011", "a promise with a letter missing", "<promise>COMPLET</promise>", false],
  ["promise-013", "a question to the user", "Before I go on: which database do you want?", false],
  ["promise", "our block in an event", `<event topic="build.task">\n${done}\n</event>`, false],
  ["promise", "our block in an event that never ends", `<event topic="build.task">\n${done}`, false],
  ["promise", "our block in an event, and outside", `<event topic="x">\n${notDone}\n</event>\n${done}`, true],
  ["promise", "our block before more text", `${done}\n\nThat was it.`, true],
  ["promise", "our block with a letter missing", done.replace("STATUS", "STATU"), false],
];

const asText = ([id, what, text, ours, why]: TextRow): Row => ({
  id,
  what,
  play: () => saysDone(text),
  ours,
  ...(why === undefined ? {} : { why }),
});

/** Id, the page, whether the plan is done. */
const boxes: readonly (readonly [string, string, boolean])[] = [
  ["plan-boxes-001", "- [x] A\n- [x] B\n- [x] C", true],
  ["plan-boxes", "- [x] A\n- [ ] B\n- [x] C", false],
  ["plan-boxes-003", "A page without boxes, only text.", false],
  ["plan-boxes", "", false],
  ["plan-boxes-005", "## High\n- [x] A\n## Optional\n- [ ] B\n- [ ] C", true],
  ["plan-boxes", "## High\n- [x] A\n## Future\n- [ ] B", true],
  ["plan-boxes-007", "## High\n- [x] A\n## Low\n- [ ] B\n## Optional\n- [ ] C", false],
  ["plan-boxes", "## Core\n- [x] A\n## Optional\n- [ ] B\n## Release\n- [ ] C", false],
  ["plan-boxes-009", "## Core\n- [x] A\n## Optional\n### Extras\n- [ ] B", true],
  ["plan-boxes", "- [] A\n- [  ] B", false],
  ["plan-boxes-011", "## Changelog\n- [2026-01-29] v\n- [2026-01-30] x\n## Tasks\n- [ ] A\n- [ ] B", false],
  ["plan-boxes", "## Changelog\n- [2026-01-29] v\n## Tasks\n- [x] A\n- [x] B", true],
  ["plan-boxes-013", "- [v1.0] a\n- [v1.1] b\n- [v2.0] c\n## Tasks\n- [x] A", true],
  ["plan-boxes", "- [NOTE] a\n- [#123] b\n- [ ] A", false],
  ["plan-boxes-015", "  - [2026-01-29] v1.0.0\n    - [2026-01-30] v1.0.1\n## Tasks\n- [x] All done", true],
  ["plan-boxes-017", "- [x] A\n- [X] B\n- [x] C", true],
  ["plan-boxes", "- [2026-01-29] only dates\n- [v1.0] and versions", false],
];

const questions: readonly (readonly [string, string, boolean])[] = [
  ["asks-question-001", "Should I implement approach A or B?", true],
  ["asks-question", "Which option do you prefer?", true],
  ["asks-question-003", "I should implement the conservative approach.", false],
  ["asks-question", "I implemented the approach and ran the tests.", false],
  ["asks-question-005", "Please confirm the approach before proceeding.", true],
];

const notice = "You have hit your 5-hour usage limit. It resets at 9pm.";
const echoed: readonly AgentSpeech[] = [{ by: "tool", text: notice }];
const agent = (...texts: readonly string[]): readonly AgentSpeech[] => texts.map((text) => ({ by: "agent", text }));
const failed: EndingFacts = {
  exitCode: 1,
  wasTimedOut: false,
  hasGoodResult: false,
  hasClaim: false,
  limitEvent: null,
  providerStatus: null,
  speech: [],
};

const limits: readonly (readonly [string, string, Partial<EndingFacts>, string])[] = [
  ["provider-limit-001", "exit code 124, the notice echoed by a tool", { exitCode: 124, speech: echoed }, "timeout"],
  ["provider-limit", "the provider rejected a request", { limitEvent: "rejected" }, "limit"],
  [
    "provider-limit-003",
    "the provider let it through, and an echo",
    { limitEvent: "allowed", speech: echoed },
    "error",
  ],
  [
    "provider-limit",
    "the notice as its own words",
    { speech: agent("You're out of extra usage · resets 9pm") },
    "limit",
  ],
  ["provider-limit-005", "the notice in what a tool printed", { speech: echoed }, "error"],
  ["provider-limit-007", "the notice in its last words", { speech: agent("a", "b", notice) }, "limit"],
  ["provider-limit", "the notice in its first words only", { speech: agent(notice, "a", "b") }, "error"],
  [
    "provider-limit-009",
    "silence, and the notice",
    { wasTimedOut: true, exitCode: null, speech: agent(notice) },
    "limit",
  ],
  ["provider-limit", "silence without a notice", { wasTimedOut: true, exitCode: null }, "timeout"],
];

export const textRows: readonly Row[] = [
  ...[...statusBlocks, ...promises].map(asText),
  ...boxes.map(([id, page, ours]) => ({ id, what: page, play: () => judgeBoxes(page).isComplete, ours })),
  ...questions.map(([id, text, ours]) => ({ id, what: text, play: () => asksReader(text), ours })),
  {
    id: "asks-question",
    what: "a question in prose does not make a run wait",
    play: () => lastDecision([saying("Should I implement approach A or B?")]),
    ours: "continue: as_planned",
  },
  ...limits.map(([id, what, facts, ours]) => ({ id, what, play: () => endingOf({ ...failed, ...facts }), ours })),
  {
    id: "provider-limit-011",
    what: "a claim and words of a limit: the claim is kept",
    play: () => [saysDone(`${done}\n\n${notice}`), endingOf({ ...failed, hasClaim: true, speech: agent(notice) })],
    ours: [true, "error"],
  },
];
