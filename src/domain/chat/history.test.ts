import { expect, test } from "vitest";
import { makeCall, makeMessage } from "../../../test/helpers/make-chat.ts";
import { answersSoFar, historyLimits, shownHistory } from "./history.ts";

const user = (seq: number, text = `question ${seq}`) => makeMessage({ seq, role: "user", text });
const answer = (seq: number, text = `answer ${seq}`) => makeMessage({ seq, text });
const shown = (...given: Parameters<typeof shownHistory>) => {
  const { leftOut, earlier, current } = shownHistory(...given);
  return { leftOut, messages: [...earlier, ...current] };
};
const roles = (messages: readonly { readonly role: string }[]) => messages.map(({ role }) => role);

test("a short conversation is shown whole", () => {
  const { messages, leftOut } = shown([user(1), answer(2), user(3)]);
  expect(leftOut).toBe(0);
  expect(messages).toEqual([
    { role: "user", text: "question 1" },
    { role: "assistant", text: "answer 2", calls: [], replies: [], native: null },
    { role: "user", text: "question 3" },
  ]);
});

test("of a long one the oldest exchanges are left out, whole, and counted", () => {
  const long = "x".repeat(historyLimits.earlier / 3);
  const { messages, leftOut } = shown([user(1, long), answer(2, long), user(3, long), answer(4), user(5)], 10);
  expect(leftOut).toBe(12);
  expect(roles(messages)).toEqual(["user", "assistant", "user"]);
  expect(messages[0]).toMatchObject({ text: long });
});

test("the exchange that is under way is shown however long it is", () => {
  const long = "x".repeat(2 * historyLimits.earlier);
  expect(shown([user(1), answer(2), user(3, long)]).messages.at(-1)).toMatchObject({ text: long });
});

test("half an exchange at the beginning is left out", () => {
  const { messages, leftOut } = shown([answer(4), user(5), answer(6), user(7)], 3);
  expect(roles(messages)).toEqual(["user", "assistant", "user"]);
  expect(leftOut).toBe(4);
});

test("an answer that never began is not shown, one that broke off is", () => {
  const failed = [
    makeMessage({ seq: 2, text: "", state: "failed" }),
    makeMessage({ seq: 3, text: "Half", state: "stopped" }),
  ];
  expect(shown([user(1), ...failed, user(4)]).messages.map(({ text }) => text)).toEqual([
    "question 1",
    "Half",
    "question 4",
  ]);
});

const replyTo = (call: Parameters<typeof makeCall>[0]) => {
  const [, message] = shown([user(1), makeMessage({ seq: 2, calls: [makeCall(call)] })]).messages;
  return message?.role === "assistant" ? message.replies[0] : undefined;
};

test("a call that ended answers with its result", () =>
  expect(replyTo({ state: "done", result: "Found it" })).toMatchObject({ text: "Found it", isError: false }));

test("a call that nobody allowed is answered as not done", () =>
  expect(replyTo({ state: "pending", result: null })).toMatchObject({
    text: expect.stringContaining("Not done"),
    isError: true,
  }));

test("a call that was begun and not ended is answered as unknown", () =>
  expect(replyTo({ state: "begun", result: null })).toMatchObject({
    text: expect.stringContaining("It is not known"),
    isError: true,
  }));

test("what a provider wants back goes back to it in this exchange, under the ids it gave, and in our words later", () => {
  const native = { provider: "lab", model: "lab/model", message: { role: "assistant" } };
  const message = makeMessage({ seq: 2, calls: [makeCall()], said: { native, callIds: ["toolu_1"] } });
  const id = { callId: "toolu_1" };
  expect(shown([user(1), message]).messages[1]).toMatchObject({ native, calls: [id], replies: [id] });
  expect(shown([user(1), message, user(3)]).messages[1]).toMatchObject({ native: null });
});

test("results of earlier exchanges are shown shorter than those of this one", () => {
  const call = makeCall({ state: "done", result: "y".repeat(10_000) });
  const now = shown([user(1), makeMessage({ seq: 2, calls: [call] })]).messages[1];
  const later = shown([user(1), makeMessage({ seq: 2, calls: [call] }), user(3)]).messages[1];
  const size = (message: typeof now) => (message?.role === "assistant" ? (message.replies[0]?.text.length ?? 0) : 0);
  expect(size(now)).toBe(10_000);
  expect(size(later)).toBeLessThan(historyLimits.oldResult + 100);
});

test("answers are counted since the user's last word", () => {
  expect(answersSoFar([user(1)])).toBe(0);
  expect(answersSoFar([user(1), answer(2), user(3), answer(4), answer(5)])).toBe(2);
});
