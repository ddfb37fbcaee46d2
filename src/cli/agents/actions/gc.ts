// `run-agent gc`: shows or removes what is no longer needed.

import { AppError } from "../../../lib/app-error.ts";
import { collect } from "../../../runner/gc/collect.ts";
import { type GcItem, planGc } from "../../../runner/gc/plan-gc.ts";
import { requireProject } from "../../../runner/layout/locate.ts";
import type { AgentInvocation } from "../invocation.ts";
import { openRootFor } from "../place.ts";

export type GcCommandOptions = {
  readonly dryRun?: true;
  readonly olderThan: number;
  readonly keepFailed?: true;
  readonly deleteDoneTasks?: true;
  readonly rotateBus?: true;
  readonly busMaxSize?: number;
};

const usualBusBytes = 10 * 1024 ** 2;

export async function collectGarbage(given: AgentInvocation, options: GcCommandOptions): Promise<void> {
  const { output, flags } = given;
  const { rotateBus, busMaxSize = usualBusBytes } = options;
  if (options.busMaxSize !== undefined && !rotateBus)
    throw new AppError("invalid_request", "--bus-max-size goes with --rotate-bus.");
  const root = openRootFor(given);
  const plan = planGc(root, {
    olderThanMs: options.olderThan,
    keepFailed: options.keepFailed === true,
    doneTasks: options.deleteDoneTasks === true,
    project: flags.project === null ? null : requireProject(root, flags.project).projectId,
    busMaxBytes: rotateBus ? busMaxSize : null,
  });
  const items = options.dryRun ? plan : await collect(root, plan, busMaxSize);
  const bytes = items.filter(({ kind }) => kind !== "bus").reduce((sum, item) => sum + item.bytes, 0);
  output.data({ dry_run: options.dryRun === true, bytes, items }, () =>
    items.length === 0
      ? ""
      : output.table(items, [
          { title: "WHAT", value: ({ kind }) => kind },
          { title: "SIZE", value: (item) => sizeWords(item.bytes) },
          { title: "WHY", value: ({ why }) => why },
          { title: "WHERE", value: (item: GcItem) => item.path.slice(root.folder.length + 1), flexible: true },
        ]),
  );
  if (items.length === 0) output.say("Nothing to remove.");
  else if (options.dryRun) output.say(`Would free ${sizeWords(bytes)}. Remove it: the same command without --dry-run.`);
  else output.say(`Freed ${sizeWords(bytes)}.`);
}

/** `512 B`, `1.5 kB`, `20 MB` */
function sizeWords(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
