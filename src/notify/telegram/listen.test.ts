import { describe, expect, test } from "vitest";
import { telegramWorld } from "../../../test/helpers/telegram-world.ts";
import { respond } from "../../domain/run/commands.ts";
import type { Answerable } from "../answerable.ts";

const world = await telegramWorld();
const { lab, hear, linkedUser, askedRun, saidTo, lastTo, admin } = world;

const colours = [{ text: "Which colour?", options: ["Red", "Blue"] }];

const chatsOf = async (userId: string) =>
  (await admin.query("select chat_id::int as chat, name from homework.user_channels where user_id = $1", [userId]))
    .rows;

describe("linking", () => {
  test("the code that the page shows links the chat, once", async () => {
    const user = await world.makeUser();
    const code = await world.newCode(user);
    lab.say(11, `/start ${code}`);
    lab.say(12, `/start ${code}`);
    await hear();
    expect(await chatsOf(user)).toEqual([{ chat: 11, name: "@ada_11" }]);
    expect(lastTo(11)).toMatch(/^Linked\./);
    expect(lastTo(12)).toMatch(/^This code is not valid any more/);
  });

  test("a code that has expired links nothing", async () => {
    const user = await world.makeUser();
    const code = await world.newCode(user);
    await admin.query(
      "update homework.telegram_links set expires_at = now() - interval '1 second' where user_id = $1",
      [user],
    );
    lab.say(13, `/start ${code}`);
    await hear();
    expect(await chatsOf(user)).toEqual([]);
  });

  test("an earlier code stops working when another one is made", async () => {
    const user = await world.makeUser();
    const earlier = await world.newCode(user);
    await world.newCode(user);
    lab.say(14, `/start ${earlier}`);
    await hear();
    expect(await chatsOf(user)).toEqual([]);
  });

  test("a chat of someone cannot be taken over with a code of someone else", async () => {
    const { userId, chatId } = await linkedUser();
    const other = await world.makeUser();
    lab.say(chatId, `/start ${await world.newCode(other)}`);
    await hear();
    expect(await chatsOf(other)).toEqual([]);
    expect(await chatsOf(userId)).toHaveLength(1);
    expect(lastTo(chatId)).toMatch(/already linked/);
  });

  test("a group cannot be linked", async () => {
    const user = await world.makeUser();
    lab.sayInGroup(-15, `/start ${await world.newCode(user)}`);
    await hear();
    expect(await chatsOf(user)).toEqual([]);
    expect(lab.messages(-15)).toEqual([]);
  });

  test("stop unlinks the chat, and it is told nothing any more", async () => {
    const { userId, chatId } = await linkedUser();
    lab.say(chatId, "/stop");
    await hear();
    expect(await chatsOf(userId)).toEqual([]);
    lab.say(chatId, "hello?");
    await hear();
    expect(lastTo(chatId)).toMatch(/not linked/);
  });
});

describe("answering", () => {
  test("a button answers with its option, and the run goes on", async () => {
    const ada = await linkedUser();
    const { run, message } = await askedRun(ada, colours);
    expect(message.text).toContain("Which colour?");
    expect(message.text).toContain(`https://homework.example/homework/runs/${run.id}`);
    lab.press(message, "Blue");
    await hear();
    expect(await saidTo(run)).toEqual(["Blue"]);
    expect(lab.flashes().at(-1)).toBe("Answer sent: Blue");
    expect(message.buttons).toEqual([]);
    await world.until(run.id, "completed");
    await expect.poll(() => lastTo(ada.chatId)).toMatch(/^Homework complete/);
    const { rows } = await admin.query("select action, actor_id, details from homework.audit_log where target = $1", [
      `run:${run.id}`,
    ]);
    expect(rows).toEqual([{ action: "run_answered", actor_id: ada.userId, details: { through: "telegram" } }]);
  });

  test("a reply answers in words", async () => {
    const ada = await linkedUser();
    const { run, message } = await askedRun(ada, colours);
    lab.say(ada.chatId, "A dark green, please", message.messageId);
    await hear();
    expect(await saidTo(run)).toEqual(["A dark green, please"]);
    await world.until(run.id, "completed");
  });

  test("several questions are answered one by one, and the run hears all of them at once", async () => {
    const ada = await linkedUser();
    const { run, message } = await askedRun(ada, [...colours, { text: "When?", options: [] }]);
    lab.press(message, "1. Red");
    await hear();
    expect(await saidTo(run)).toEqual([]);
    expect(lastTo(ada.chatId)).toBe("Noted. Still to answer: When?");
    lab.say(ada.chatId, "Tomorrow", message.messageId);
    await hear();
    expect((await saidTo(run)).toSorted()).toEqual(["Red", "Tomorrow"]);
    await world.until(run.id, "completed");
  });
});

describe("an answer is not taken", () => {
  test("a question that was answered on the page is said to be closed, and the answer stays", async () => {
    const ada = await linkedUser();
    const { run, message } = await askedRun(ada, colours);
    await world.command(run, (now) => respond(now, [{ questionId: "question_1", text: "Red" }]));
    lab.press(message, "Blue");
    await hear();
    expect(await saidTo(run)).toEqual(["Red"]);
    // The run goes on with the answer, and the chat may hear of its end by now.
    const heard = lab.messages(ada.chatId).map(({ text }) => text);
    expect(heard).toContainEqual(expect.stringMatching(/^This question is closed/));
  });

  test("a button of an earlier question does not answer a later one of the same name", async () => {
    const ada = await linkedUser();
    const { run, message } = await askedRun(ada, colours);
    await admin.query("update homework.user_notifications set told = told + 1 where run_id = $1", [run.id]);
    lab.press(message, "Blue");
    await hear();
    expect(await saidTo(run)).toEqual([]);
    expect(lab.flashes().at(-1)).toMatch(/^This question is closed/);
  });

  test("another chat that knows the button's data answers nothing", async () => {
    const [ada, eve] = [await linkedUser(), await linkedUser()];
    const { run, message } = await askedRun(ada, colours);
    lab.press({ ...message, chatId: eve.chatId }, "Blue");
    await hear();
    expect(await saidTo(run)).toEqual([]);
    expect(lab.flashes().at(-1)).toBe("There is no open question in that message.");
  });

  test("a chat that is not linked answers nothing", async () => {
    const ada = await linkedUser();
    const { run, message } = await askedRun(ada, colours);
    lab.press({ ...message, chatId: 77 }, "Blue");
    await hear();
    expect(await saidTo(run)).toEqual([]);
    expect(lab.flashes().at(-1)).toMatch(/not linked/);
  });

  test("words that are no reply are answered with help", async () => {
    const ada = await linkedUser();
    const { run } = await askedRun(ada, colours);
    lab.say(ada.chatId, "Blue");
    await hear();
    expect(await saidTo(run)).toEqual([]);
    expect(lastTo(ada.chatId)).toMatch(/^Reply to a question/);
  });
});

describe("updates", () => {
  test("one that comes again is not carried out again", async () => {
    const ada = await linkedUser();
    const { message } = await askedRun(ada, colours);
    const update = lab.press(message, "Blue");
    await hear();
    const flashed = lab.flashes().length;
    lab.repeat(update);
    await hear();
    expect(lab.flashes()).toHaveLength(flashed);
  });

  test("one whose work fails half-way is carried out when it is heard again", async () => {
    const ada = await linkedUser();
    const { run, message } = await askedRun(ada, colours);
    lab.press(message, "Blue");
    const broken: Answerable = {
      isOpen: async () => true,
      answer: async () => {
        throw new Error("the database went away");
      },
    };
    await expect(hear({ run: broken })).rejects.toThrow("went away");
    expect(await saidTo(run)).toEqual([]);
    await hear();
    expect(await saidTo(run)).toEqual(["Blue"]);
  });

  test("one that fails again and again is passed over in the end, so that others are heard", async () => {
    const ada = await linkedUser();
    const { run, message } = await askedRun(ada, colours);
    lab.press(message, "Blue");
    lab.say(78, "hello");
    const broken: Answerable = {
      isOpen: async () => {
        throw new Error("a bug");
      },
      answer: async () => ({ kind: "taken" }),
    };
    for (let n = 1; n < 5; n++) await expect(hear({ run: broken })).rejects.toThrow("a bug");
    await hear({ run: broken });
    expect(lastTo(78)).toMatch(/not linked/);
    expect(await saidTo(run)).toEqual([]);
  });

  test("after a week of silence Telegram may count from a smaller number, and is heard", async () => {
    await admin.query(
      "update homework.telegram_bots set next_update = 900000000, taken_at = now() - interval '8 days'",
    );
    lab.say(79, "hello");
    await hear();
    expect(lastTo(79)).toMatch(/not linked/);
    lab.say(79, "hello again");
    await hear();
    expect(lab.messages(79)).toHaveLength(2);
  });

  test("what keeps the bot from being heard is kept until it is heard again, without the token", async () => {
    const problem = async () => (await admin.query("select last_error from homework.telegram_bots")).rows[0].last_error;
    lab.failNext("getUpdates", { status: 409, description: "Conflict: terminated by other getUpdates request" });
    expect(await hear()).toMatchObject({ kind: "failed", status: 409 });
    expect(await problem()).toBe("Telegram answered: Conflict: terminated by other getUpdates request");
    await hear();
    expect(await problem()).toBeNull();
  });
});

describe("sending", () => {
  test("a wait that Telegram asks for is kept", async () => {
    const ada = await linkedUser();
    const tooMany = { status: 429, description: "Too Many Requests: retry after 37", retryAfter: 37 };
    lab.failNext("sendMessage", { ...tooMany, chatId: ada.chatId });
    await world.tell(ada.userId);
    const waiting = async () =>
      (
        await admin.query(
          `select round(extract(epoch from d.next_at - now()))::int as seconds, last_status from homework.channel_deliveries d
             join homework.user_channels c on c.id = d.channel_id where c.user_id = $1`,
          [ada.userId],
        )
      ).rows[0];
    await expect.poll(waiting).toMatchObject({ last_status: 429 });
    expect((await waiting()).seconds).toBeGreaterThan(30);
  });

  test("a user who blocked the bot is told nothing any more", async () => {
    const ada = await linkedUser();
    const blocked = { status: 403, description: "Forbidden: bot was blocked by the user" };
    lab.failNext("sendMessage", { ...blocked, chatId: ada.chatId });
    await world.tell(ada.userId);
    const off = async () =>
      (await admin.query("select is_on, off_reason from homework.user_channels where user_id = $1", [ada.userId])).rows;
    await expect
      .poll(off)
      .toEqual([{ is_on: false, off_reason: "Telegram answered: Forbidden: bot was blocked by the user" }]);
  });

  test("signs that mean something to Telegram are words", async () => {
    const ada = await linkedUser();
    await world.tell(ada.userId, { message: "Compare <b>a & b</b> _with_ *c*" });
    await expect.poll(() => lastTo(ada.chatId)).toContain("Compare <b>a & b</b> _with_ *c*");
  });
});
