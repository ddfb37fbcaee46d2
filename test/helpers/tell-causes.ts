// Runs after every test: writes the cause of an error into its stack, because the report at the end of a run shows only the stack.

import { afterEach } from "vitest";

type Thrown = { stack?: string | undefined; cause?: unknown };

afterEach(({ task }) => {
  for (const error of task.result?.errors ?? []) error.stack = withCause(error);
});

function withCause({ stack = "", cause }: Thrown): string {
  if (typeof cause !== "object" || cause === null || !("message" in cause)) return stack;
  const code = "code" in cause ? ` (${String(cause.code)})` : "";
  return stack.replace(/\n|$/, `\n    because: ${String(cause.message)}${code}\n`);
}
