// What takes long, and says the same from one commit to the next, is tested in turn: a whole run has one of six shares of it, and six
// commits in a row have had everything. Which share it is follows from the number of commits, so the same commit has the same one again.
// `npm test -- --all` has all of them, as has a run of files that someone names.

import { runCaptured } from "./programs.ts";

/** Files that a whole run has only in its share; those of one share take about as long as those of another. */
const inTurn: readonly (readonly string[])[] = [
  [
    "test/chaos/run-chaos",
    "test/contract/view-equality",
    "test/e2e/accounts",
    "test/e2e/chat",
    "test/e2e/inert",
    "test/e2e/notifications",
    "test/e2e/tasks",
    "test/flows/anthropic",
    "test/flows/chats",
    "test/process/channels",
  ],
  [
    "src/db/embedded/root",
    "test/chaos/agents-chaos",
    "test/e2e/find",
    "test/e2e/morning",
    "test/e2e/outcome-settings",
    "test/e2e/outcome-task",
    "test/e2e/outcomes-tower",
    "test/e2e/run-sequels",
    "test/process/build-pages",
    "test/process/chat-crash",
  ],
  [
    "src/tools/web/readable-page",
    "test/agents/repository",
    "test/chaos/kill-server",
    "test/chaos/outcomes-chaos",
    "test/e2e/channels",
    "test/e2e/documents",
    "test/e2e/outcomes",
    "test/e2e/running-pill",
    "test/sim/outcome-bugs",
    "test/sim/planted-bugs",
  ],
  [
    "src/db/embedded/crash",
    "src/engine/chat/chat-crash",
    "test/agents/recorder",
    "test/e2e/agents",
    "test/e2e/agents-of-runs",
    "test/e2e/live",
    "test/e2e/runs-list",
    "test/flows/google",
    "test/flows/openrouter",
    "test/process/outcome",
  ],
  [
    "test/chaos/effects-chaos",
    "test/e2e/keyboard",
    "test/e2e/keyboard-runs",
    "test/e2e/models",
    "test/e2e/one-stream",
    "test/e2e/outcome-board",
    "test/e2e/run-controls",
    "test/e2e/run-labels",
    "test/e2e/run-timeline",
    "test/e2e/runs-side-by-side",
  ],
  [
    "test/chaos/models-chaos",
    "test/contract/identity-hammer",
    "test/e2e/run-page",
    "test/e2e/run-results",
    "test/flows/compatible",
    "test/flows/openai",
    "test/process/agent-both-ways",
    "test/process/full-disk",
    "test/security/planted-holes",
    "test/sim/sweep",
  ],
];

export const shareCount = inTurn.length;

export const filesInTurn: readonly string[] = inTurn.flat().map((file) => `${file}.test.ts`);

/** Files whose turn it is not. */
export const filesWithout = (share: string): readonly string[] =>
  share === "all"
    ? []
    : filesInTurn.filter((file) => !inTurn[Number(share) - 1]?.some((name) => file === `${name}.test.ts`));

export const takeShare = <Case>(share: string, cases: readonly Case[]): readonly Case[] =>
  share === "all" ? cases : cases.filter((_, n) => (n % inTurn.length) + 1 === Number(share));

/** "1" to "6", or "all", which it is where no one says otherwise. */
const share = process.env.TEST_SHARE ?? "all";

export const filesLeftOut = filesWithout(share);

/** Of many cases that differ in words, those whose turn it is. */
export const inShare = <Case>(cases: readonly Case[]): readonly Case[] => takeShare(share, cases);

/** For a whole run: what was asked for, or else the turn of this commit. Null: there is no such share. */
export async function chooseShare(asked: string | undefined): Promise<string | null> {
  if (asked !== undefined) return asked === "all" || inTurn[Number(asked) - 1] !== undefined ? asked : null;
  // Without git, as in an unpacked archive, always the first.
  const { code, output } = await runCaptured("git", ["rev-list", "--count", "HEAD"]).catch(() => ({
    code: 1,
    output: "",
  }));
  return String((code === 0 ? Number(output) % inTurn.length : 0) + 1);
}
