// An agent whose run lies in the data folder can read the owner's key there. Commands ask here, before they open anything, that it does not
// act as the owner.

import { AppError } from "../lib/app-error.ts";
import { isAgentIn } from "../runner/job/find-caller.ts";
import { listProcessesAbove } from "../runner/job/process-table.ts";

export function refuseAgents(data: string): void {
  if (!isAgentIn(data, { environment: process.env, processesAbove: listProcessesAbove })) return;
  throw new AppError(
    "forbidden",
    `This command was called from an agent's run of this installation (${data}), and only people act as its owner. Nothing was done. Ask on the message bus what you want to know.`,
  );
}
