// The check that every task of `run-agent` has: the file DONE, which is how an agent says that it is done. It is the claim, so it is not
// counted among the checks that a person gave.

import type { Check } from "../run/checks/check.ts";

export const doneCheck: Check = {
  id: "done",
  deliverableId: null,
  target: { kind: "file_exists", path: "DONE" },
  givenBy: "user",
};

export const isDoneCheck = ({ id, target }: Pick<Check, "id" | "target">): boolean =>
  id === doneCheck.id && target.kind === "file_exists" && target.path === "DONE";
