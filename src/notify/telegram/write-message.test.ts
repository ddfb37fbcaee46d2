import { describe, expect, test } from "vitest";
import type { DeliveryId } from "../../domain/channel/channel.ts";
import type { DeliveryPayload } from "../../store/channel/plan-deliveries.ts";
import { readPress, writeMessage } from "./write-message.ts";

const id = "0198c2a4-0000-7000-8000-0000000000aa" as DeliveryId;

const makePayload = (over: Partial<DeliveryPayload> = {}): DeliveryPayload => ({
  about: "run:1",
  title: "Homework complete",
  message: "Plan the party: 3 checks are green",
  actionUrl: "/homework/runs/1",
  data: {},
  at: "2026-11-16T12:00:00Z",
  ...over,
});

const asks = (...questions: { id: string; text: string; options: string[] }[]) =>
  makePayload({
    title: "Homework needs you",
    message: "Plan the party: repeated",
    data: {
      name: "Plan the party",
      questions: questions.map(({ options, ...question }) => ({
        ...question,
        options: options.map((label, at) => ({ id: String(at), label })),
      })),
    },
  });

const write = (payload: DeliveryPayload) => writeMessage(id, payload, "https://homework.example");

describe("a completion", () => {
  test("has the opening of the report and the link, and no buttons", () => {
    expect(write(makePayload({ data: { opening: "The hall is booked." } }))).toEqual({
      text: "<b>Homework complete</b>\n\nPlan the party: 3 checks are green\n\nThe hall is booked.\n\nhttps://homework.example/homework/runs/1",
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
    });
  });

  test("cannot bring markup of its own", () => {
    const { text } = write(makePayload({ message: 'a <b>&</b> <a href="https://evil.example">x</a>' }));
    expect(text).toContain('a &lt;b&gt;&amp;&lt;/b&gt; &lt;a href="https://evil.example"&gt;x&lt;/a&gt;');
  });
});

describe("a question", () => {
  test("has a button for each option, and says that it can be replied to", () => {
    const { text, reply_markup } = write(asks({ id: "q1", text: "Which colour?", options: ["Red", "Blue"] }));
    expect(text).toContain("Plan the party\n\nWhich colour?\n\n<i>Choose an answer, or reply to this message.</i>");
    expect(text).not.toContain("repeated");
    expect(reply_markup?.inline_keyboard).toEqual([
      [{ text: "Red", callback_data: `${id}:0:0` }],
      [{ text: "Blue", callback_data: `${id}:0:1` }],
    ]);
  });

  test("among several has a number, and so have its buttons", () => {
    const { text, reply_markup } = write(
      asks({ id: "q1", text: "Which colour?", options: ["Red"] }, { id: "q2", text: "When?", options: ["Soon"] }),
    );
    expect(text).toContain("1. Which colour?\n\n2. When?");
    expect(reply_markup?.inline_keyboard.flat().map((button) => button.text)).toEqual(["1. Red", "2. Soon"]);
  });

  test("fits into what Telegram takes, however long its words are", () => {
    const long = { text: "x".repeat(5_000), options: Array<string>(8).fill("y".repeat(500)) };
    const { text, reply_markup } = write(asks(...[1, 2, 3, 4, 5].map((n) => ({ id: `q${n}`, ...long }))));
    expect(text.length).toBeLessThan(4_096);
    for (const button of reply_markup?.inline_keyboard.flat() ?? []) {
      expect(Buffer.byteLength(button.callback_data)).toBeLessThanOrEqual(64);
      expect(button.text.length).toBeLessThanOrEqual(60);
    }
  });
});

test("a pressed button is read as it was written, and nothing else is", () => {
  expect(readPress(`${id}:1:7`)).toEqual({ id, question: 1, option: 7 });
  for (const data of ["", "x", `${id}:1`, `${id}:1:2:3`, `${id}:a:2`, `'; drop:1:2`])
    expect(readPress(data)).toBeNull();
});
