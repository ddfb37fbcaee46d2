import { expect, test } from "vitest";
import { describeQuestion, judgePermission, type PermissionRequest, readAnswer, readPermission } from "./permission.ts";

const params = (
  over: object = {},
  options: readonly unknown[] = [
    { optionId: "a", name: "Allow", kind: "allow_once" },
    { optionId: "b", name: "Always", kind: "allow_always" },
    { optionId: "c", name: "Reject", kind: "reject_once" },
  ],
) => ({ sessionId: "s", toolCall: { toolCallId: "t", title: "Write x", kind: "edit", ...over }, options });
const request = readPermission(params());

test("places are read from wherever agents put them", () => {
  const { places } = readPermission(
    params({
      locations: [{ path: "/a" }, {}],
      content: [{ type: "diff", path: "/b" }],
      rawInput: { file_path: "/c", cwd: "/d", command: "ls" },
    }),
  );
  expect(places).toEqual(["/a", "/b", "/c", "/d"]);
});

const inside = (place: string) => place.startsWith("/work");
const judge = (policy: "allow" | "ask" | "reject", ...places: readonly string[]) =>
  judgePermission(policy, { ...request, places }, inside);
test("what is allowed and leads outside is asked", () => {
  expect([judge("allow"), judge("allow", "/work/x"), judge("allow", "/work/x", "/etc/x")]).toEqual([
    "allow",
    "allow",
    "ask",
  ]);
  expect([judge("ask", "/work/x"), judge("reject", "/work/x")]).toEqual(["ask", "reject"]);
});

test.each([
  ["yes", "a"],
  ["Yes!", "a"],
  ["OK", "a"],
  ["1", "a"],
  ["Allow", "a"],
  ["a", "a"],
  ["always", "b"],
  ["2", "b"],
  ["no", "c"],
  ["No.", "c"],
  ["3", "c"],
  ["never", "c"],
])("%j chooses %s", (answer, optionId) => {
  expect(readAnswer(request, answer)).toMatchObject({ choice: { optionId }, rest: null });
});

test.each(["", "yes, but only the first file", "4", "0", "yesterday", "allow everything in /etc"])(
  "%j is a no",
  (answer) => {
    const { choice, rest } = readAnswer(request, answer);
    expect([choice.optionId, choice.isAllowed]).toEqual(["c", false]);
    expect(rest).toContain(answer);
  },
);

test.each([null, {}, { toolCall: [], options: "x" }, params({}, [null, 7, { optionId: 3 }])])(
  "%j is a request without options",
  (given) => {
    const read: PermissionRequest = readPermission(given);
    expect(read.options).toEqual([]);
    expect(readAnswer(read, "yes").choice).toEqual({ optionId: null, isAllowed: false });
    expect(describeQuestion(read)).toContain("asks for permission");
  },
);
