// Requests for permission in one conversation: each is answered by the owner's setting or by a person, and there are not endlessly many.

import { createHash } from "node:crypto";
import type { AcpOrder, AcpPorts } from "./acp-ports.ts";
import {
  allow,
  type Choice,
  describeQuestion,
  judgePermission,
  type PermissionRequest,
  readAnswer,
  readPermission,
  reject,
} from "./permission.ts";

export type Permissions = {
  /** The result of `session/request_permission`. */
  readonly answer: (params: unknown) => Promise<{ readonly outcome: object }>;
  /** Answers of people that were more than a yes or no, for the next prompt. */
  readonly takeRest: () => readonly string[];
};

export function openPermissions(
  { permissions: policy }: AcpOrder,
  ports: AcpPorts,
  isCut: AbortSignal,
  exceed: () => void,
): Permissions {
  const rest: string[] = [];
  let count = 0;
  const decide = async (request: PermissionRequest): Promise<Choice> => {
    const judged = judgePermission(policy, request, ports.files.isInside);
    if (judged === "allow") return allow(request);
    if (judged === "reject" || ports.ask === null) return reject(request);
    const said = await ports.ask({ body: describeQuestion(request), key: keyOf(request) }, isCut);
    const read = readAnswer(request, said);
    if (read.rest !== null) rest.push(read.rest);
    return read.choice;
  };
  const answer = async (params: unknown): Promise<{ readonly outcome: object }> => {
    count += 1;
    if (count > ports.limits.permissionsMax) exceed();
    if (isCut.aborted) return canceled;
    const request = readPermission(params);
    try {
      const choice = await decide(request);
      ports.tell({ type: "permission", title: request.title, isAllowed: choice.isAllowed });
      return choice.optionId === null ? canceled : { outcome: { outcome: "selected", optionId: choice.optionId } };
    } catch (error) {
      // What cannot be asked is not allowed; the protocol wants this answer in a turn that is canceled, too.
      if (!isCut.aborted)
        ports.tell({
          type: "notice",
          text: `${request.title}: ${error instanceof Error ? error.message : String(error)}`,
        });
      return canceled;
    }
  };
  return { answer, takeRest: () => rest.splice(0) };
}

const canceled = { outcome: { outcome: "cancelled" } };

const keyOf = ({ title, kind, places, details }: PermissionRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([title, kind, places, details]))
    .digest("hex")
    .slice(0, 16);
