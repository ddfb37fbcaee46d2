// The order of test files: one project after the other, since each starts workers of its own, and in each the slowest files first,
// so that no worker is busy for a minute when nothing is left for the others.

import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Simulations of `unit` take minutes of a processor each, so they begin first; the last files of `words` are short. Files of one project
 * stay together, since each project starts workers of its own.
 */
const projects = ["browser", "agents", "first", "unit", "process", "db", "second", "words"];

/** Files that take ten seconds or more on two cores, the slowest first. */
const slow = [
  "e2e/pages",
  "e2e/outcomes-tower",
  "e2e/outcomes",
  "agents/repository",
  "contract/route-matrix",
  "sim/sweep",
  "sim/outcome-sim",
  "sim/outcome-bugs",
  "sim/sim",
  "acp/acp-run",
  "e2e/runs-list",
  "e2e/keyboard-runs",
  "security/injection",
  "contract/view-equality",
  "agents/recorder",
  "engine/demo-engine",
  "chaos/outcomes-chaos",
  "chaos/models-chaos",
  "chaos/run-chaos",
  "agents/real-agents",
  "e2e/run-controls",
  "security/chat-injection",
  "chaos/agents-chaos",
  "job/killed-job",
  "job/bad-agents",
  "e2e/notifications",
  "e2e/run-page",
  "e2e/channels",
  "process/channels",
  "chaos/effects-chaos",
  "flows/compatible",
  "e2e/running-pill",
  "chat/chat-crash",
  "e2e/run-results",
  "security/planted-holes",
  "contract/identity-hammer",
  "e2e/xss",
  "trial-cases/a-done",
  "planner/planner-engine",
  "flows/anthropic",
  "process/outcome",
  "process/serve",
  "process/chat-crash",
  "flows/openrouter",
  "e2e/run-timeline",
  "contract/bad-body",
  "sim/planted-bugs",
  "chaos/kill-server",
  "sim/sql-sim",
  "contract/run-races",
  "e2e/first-minute",
  "trial-cases/c-progress",
  "e2e/live",
  "chat/chat-engine",
  "contract/model-faults",
  "e2e/inert",
  "tools/every-tool",
  "e2e/accounts",
  "e2e/chat",
  "flows/chats",
  "planner/session-crash",
  "flows/google",
  "embedded/open-embedded",
  "e2e/one-stream",
  "embedded/root",
  "flows/openai",
  "contract/bad-address",
  "e2e/keyboard",
  "process/full-disk",
  "process/agent-both-ways",
  "e2e/agents-of-runs",
  "e2e/runs-side-by-side",
  "embedded/crash",
].map((part) => `/${part}.test.`);

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const at = slow.findIndex((part) => moduleId.includes(part));
      return projects.indexOf(project.name) * (slow.length + 1) + (at === -1 ? slow.length : at);
    };
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}
