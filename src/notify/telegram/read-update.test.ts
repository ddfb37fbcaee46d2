import { expect, test } from "vitest";
import { readUpdate, update } from "./read-update.ts";

const chat = { id: 7, type: "private", username: "ada" };
const read = (what: object) => readUpdate(update.parse({ update_id: 1, ...what }));
const said = (text: string, over: object = {}) => read({ message: { message_id: 3, chat, text, ...over } });

test("a start with a code links the chat by its name", () => {
  expect(said("/start AbC-12_x")).toEqual({ kind: "start", chatId: 7, code: "AbC-12_x", chatName: "@ada" });
});

test("a start without a code, or with something that is none, is answered with help", () => {
  for (const text of ["/start", "/start a b", "/start <x>", `/start ${"x".repeat(65)}`])
    expect(said(text)).toEqual({ kind: "other", chatId: 7 });
});

test("stop unlinks", () => {
  expect(said("/stop")).toEqual({ kind: "stop", chatId: 7 });
});

test("a reply answers the message that it is to", () => {
  expect(said(" Blue ", { reply_to_message: { message_id: 2 } })).toEqual({
    kind: "reply",
    chatId: 7,
    messageId: 2,
    text: "Blue",
  });
});

test("what is said in a group is nothing to us", () => {
  expect(said("/start code", { chat: { id: -5, type: "group" } })).toBeNull();
});

test("a button counts only for the person whose chat it is in", () => {
  const data = "0198c2a4-0000-7000-8000-0000000000aa:0:1";
  const press = (from: number) =>
    read({ callback_query: { id: "p", from: { id: from }, data, message: { message_id: 2, chat } } });
  expect(press(7)).toMatchObject({ kind: "press", deliveryId: data.slice(0, 36), question: 0, option: 1 });
  expect(press(8)).toBeNull();
});

test("an update of another kind, or one that is broken, is passed over", () => {
  expect(read({ edited_message: { text: "x" } })).toBeNull();
  expect(read({ message: { chat: "nonsense" } })).toBeNull();
});
