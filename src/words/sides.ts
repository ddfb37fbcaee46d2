// The two sides on which people read us, and which files each of them is made of. What is said to models is on neither, and reports
// have a file of their own: they are written in the language of the objective (src/domain/run/report-words.ts).

export type Side = "pages" | "terminal";
export const sides: readonly Side[] = ["pages", "terminal"];

/** Folders and files whose words reach a person through the terminal, a notification or an answer of the server. */
const terminal =
  /^src\/(?:cli|notify|main|server|runner|loop|lib|store\/(?:channel|identity|notification)|domain|protocol\/[\w-]+\.ts$|runs)/;

/** Said to models, to other programs, or in a language that is chosen elsewhere. */
const elsewhere =
  /\.test\.tsx?$|^src\/domain\/run\/report-words\.ts$|^src\/domain\/(?:planner|language\.ts|homr\/(?:draft|observation))|^src\/(?:cli\/(?:agents\/)?reference|cli\/agents\/commands\/completion|main\/(?:run-agent|config-reference))\.ts|^src\/server\/(?:sse\/|api-reference|metrics|known-devices|sign-in-gate|bootstrap-token)|^src\/runner\/(?:backends\/|acp\/|bus\/)|^src\/protocol\/(?:routes\/|api\.ts)/;

export const isTerminalFile = (file: string): boolean => terminal.test(file) && !elsewhere.test(file);

/** Of the files that pages are made of. */
export const isPageFile = (file: string): boolean => /^(?:web\/src|src)\/.*\.tsx?$/.test(file) && !elsewhere.test(file);

export const catalogueOf = (side: Side, language: string): string => `words/${side}.${language}.json`;
