// People who link a chat with the bot of the lab, runs that ask them something, and a bot that is heard when a test says so.

import { afterAll, expect } from "vitest";
import type { Tx } from "../../src/db/database.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { Question } from "../../src/domain/run/question.ts";
import type { Run } from "../../src/domain/run/run.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { answerableRuns } from "../../src/loop/answer-run-question.ts";
import { realEnv } from "../../src/main/env.ts";
import type { Answerables } from "../../src/notify/answerable.ts";
import { type BotApi, type BotFailure, openBotApi } from "../../src/notify/telegram/bot-api.ts";
import { codeMinutes, hashCode, newCode } from "../../src/notify/telegram/link-code.ts";
import { hearUpdates, introduceBot, type ListenDeps } from "../../src/notify/telegram/listen.ts";
import { telegramSender } from "../../src/notify/telegram/send-telegram.ts";
import { keepCode } from "../../src/store/channel/telegram-store.ts";
import { type LabMessage, labToken, startTelegramLab, type TelegramLab } from "../lab/telegram.ts";
import { type ChannelWorld, channelWorld } from "./channel-world.ts";
import { makeClaim, makeQuestion } from "./make-run.ts";
import { scriptedEngine } from "./scripted-engine.ts";

export type TelegramWorld = ChannelWorld & {
  readonly lab: TelegramLab;
  readonly bot: BotApi;
  readonly listenDeps: ListenDeps;
  /** One question for updates. */
  readonly hear: (over?: Answerables) => Promise<BotFailure | null>;
  readonly newCode: (userId: UserId) => Promise<string>;
  /** A user with a chat of their own. */
  readonly linkedUser: () => Promise<{ readonly userId: UserId; readonly chatId: number }>;
  /** A run that asks these, once its user was told in the chat. */
  readonly askedRun: (
    of: { readonly userId: UserId; readonly chatId: number },
    questions: readonly Partial<Question>[],
  ) => Promise<{ readonly run: Run; readonly message: LabMessage }>;
  /** What the user said to the run. */
  readonly saidTo: (run: Run) => Promise<readonly string[]>;
  /** What the bot wrote last. */
  readonly lastTo: (chatId: number) => string;
};

const origin = "https://homework.example";

export async function telegramWorld(): Promise<TelegramWorld> {
  const world = await channelWorld();
  const lab = await startTelegramLab();
  afterAll(() => lab.close());
  const bot = openBotApi({ token: labToken, baseUrl: lab.url, fetch });
  const answerables = { run: answerableRuns(world.queue, { maxConcurrentRuns: 3 }) };
  const listenDeps: ListenDeps = {
    db: world.db,
    bot,
    answerables,
    newId: realEnv.newId,
    pollSeconds: 0,
    logger: silentLogger,
  };
  const never = new AbortController().signal;
  await introduceBot(listenDeps, never);
  world.deliver({ telegram: telegramSender({ bot, origin }) }, answerables);
  const asked = new Map<string, readonly Question[]>();
  world.work(askingEngine(asked));
  const failures = new Map<number, number>();
  const hear: TelegramWorld["hear"] = (over) =>
    hearUpdates({ ...listenDeps, answerables: over ?? answerables }, failures, never);
  const codeFor = async (userId: UserId) => {
    const code = newCode();
    await world.db.asSystem((tx) => keepCode(tx, userId, hashCode(code), codeMinutes));
    return code;
  };
  let chats = 1_000;
  return {
    ...world,
    lab,
    bot,
    listenDeps,
    hear,
    newCode: codeFor,
    linkedUser: async () => {
      const userId = await world.makeUser();
      const chatId = ++chats;
      lab.say(chatId, `/start ${await codeFor(userId)}`);
      await hear();
      return { userId, chatId };
    },
    askedRun: async ({ userId, chatId }, questions) => {
      const before = lab.messages(chatId).length;
      const objective = `Ask ${realEnv.newId()}`;
      asked.set(
        objective,
        questions.map((over, n) => makeQuestion({ id: `question_${n + 1}`, ...over })),
      );
      const { id } = await world.create(userId, { objective });
      const run = await world.until(id, "waiting_on_user");
      await expect.poll(() => lab.messages(chatId).length).toBeGreaterThan(before);
      return { run, message: lab.messages(chatId).at(-1) as LabMessage };
    },
    saidTo: async ({ id }) => {
      const { rows } = await world.admin.query<{ text: string }>(
        "select text from homework.homework_run_messages where run_id = $1 order by created_at, id",
        [id],
      );
      return rows.map(({ text }) => text);
    },
    lastTo: (chatId) => lab.messages(chatId).at(-1)?.text ?? "",
  };
}

/** Asks in the first iteration, and is done in the second. */
const askingEngine = (asked: ReadonlyMap<string, readonly Question[]>) =>
  scriptedEngine<Tx>(
    ({ run }) =>
      run.state.iteration === 1
        ? { notes: 1, ends: { questions: asked.get(run.objective) ?? [] } }
        : { notes: 1, ends: { claim: makeClaim() } },
    async () => {
      throw new Error("this script writes nothing");
    },
  );
