import { expect, test } from "vitest";
import { runId, runPath, runStaged } from "../../../test/helpers/cli-runs.ts";

const thing = (title: string) => ({ ref: `task:${runId}`, kind: "task", id: runId, project_id: runId, title });
const restore = (restored: readonly object[], left: readonly object[]) =>
  runStaged(["restore", "last"], {
    answers: {
      [`POST ${runPath}/restore`]: () => ({
        run_id: runId,
        restored: { count: restored.length, items: restored },
        left: { count: left.length, items: left },
      }),
    },
  });

test("says what came back and what was left", async () => {
  const ran = await restore([thing("A"), thing("B")], [thing("Mine\u001b[2J now")]);
  expect(ran).toMatchObject({ code: 0, out: `${runId}\n` });
  expect(ran.words).toBe(
    'Restored: 2 things.\nLeft as it is: task "Mine [2J now", changed since or without a place.\n',
  );
});

test("says that there is nothing to restore", async () => {
  expect((await restore([], [])).words).toBe("There is nothing to restore: no undo of this run is open.\n");
});
