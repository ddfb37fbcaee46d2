// The two sides on which people read us, and which files each of them is made of. What is said to models is on neither, and reports
// have a file of their own: they are written in the language of the objective (src/domain/run/report-words.ts).

export type Side = "pages" | "terminal";
export const sides: readonly Side[] = ["pages", "terminal"];

/** Folders and files whose words reach a person through the terminal, a notification or an answer of the server. */
const terminal =
  /^src\/(?:cli|notify|main|server|runner|loop|lib|store\/(?:channel|identity|notification)|domain|protocol\/[\w-]+\.ts$|runs)/;

/** Said to models, to other programs, or in a language that is chosen elsewhere; and texts that are searched for or mark what is foreign. */
const elsewhere = new RegExp(
  [
    String.raw`\.test\.tsx?$`,
    "^src/domain/run/(?:report-words|judge-|status-block|check-problem|adopt|approval-answer|error-lines)",
    "^src/domain/(?:planner/|plan/|workspace/|language|chat/history|entity/edit-text|policy/(?:fence-text|judge-call))",
    "^src/domain/agent/(?:last-start|review-answer|done-conditions)",
    "^src/domain/homr/(?:outcome-draft|task-run|fit-answer|read-observation|remember-decision|compact-context|split-parts)",
    "^src/cli/(?:agents/)?reference|^src/cli/agents/commands/completion|^src/main/(?:run-agent|config-reference)",
    "^src/server/(?:sse/|api-reference|metrics|known-devices|sign-in-gate|bootstrap-token)",
    "^src/runner/(?:backends/|acp/|bus/)|^src/protocol/(?:routes/|api\\.ts|api-notes)",
  ].join("|"),
);

export const isTerminalFile = (file: string): boolean => terminal.test(file) && !elsewhere.test(file);

/** Of the files that pages are made of. */
export const isPageFile = (file: string): boolean => /^(?:web\/src|src)\/.*\.tsx?$/.test(file) && !elsewhere.test(file);

export const catalogueOf = (side: Side, language: string): string => `words/${side}.${language}.json`;
