import { expect, test } from "vitest";
import { insertOutcome } from "../../test/helpers/outcome-rows.ts";
import { telegramWorld } from "../../test/helpers/telegram-world.ts";
import type { UserId } from "../domain/identity/identity.ts";
import { realEnv } from "../main/env.ts";
import { answerableEscalations } from "./answer-escalation.ts";

const { admin, db, queue, makeUser } = await telegramWorld();
const questions = answerableEscalations({ jobs: queue, limits: { maxConcurrentRuns: 3 }, env: realEnv });

async function askedOutcome() {
  const userId = await makeUser();
  const { escalationId } = await insertOutcome(admin, userId);
  const { rows } = await admin.query("select options from homework.homr_escalations where id = $1", [escalationId]);
  return { userId, escalationId, options: rows[0].options as readonly { id: string; label: string }[] };
}

const isOpen = (id: string, by: UserId) => db.asSystem((tx) => questions.isOpen(tx, id, by));
const press = (id: string, by: UserId, optionId: string) =>
  db.asSystem((tx) => questions.answer(tx, id, [{ questionId: id, optionId }], by));
const say = (id: string, by: UserId, text: string) =>
  db.asSystem((tx) => questions.answer(tx, id, [{ questionId: id, text }], by));
const answerOf = async (id: string) =>
  (await admin.query("select status, answer_option from homework.homr_escalations where id = $1", [id])).rows[0];

test("a button answers the question, once", async () => {
  const { userId, escalationId: id, options } = await askedOutcome();
  expect(await isOpen(id, userId)).toBe(true);
  expect(await press(id, userId, options[1]?.id ?? "")).toEqual({ kind: "taken" });
  expect(await answerOf(id)).toEqual({ status: "answered", answer_option: options[1]?.id });
  expect(await isOpen(id, userId)).toBe(false);
  expect(await press(id, userId, options[0]?.id ?? "")).toEqual({ kind: "closed" });
});

test("words count if they are those of an option; others are told what to choose from", async () => {
  const { userId, escalationId: id, options } = await askedOutcome();
  const labels = options.map(({ label }) => label);
  const refused = await say(id, userId, "whatever you think");
  expect(refused).toEqual({ kind: "refused", why: expect.stringContaining(labels.join("; ")) });
  expect((await answerOf(id)).status).toBe("pending");
  expect(await say(id, userId, ` ${labels[0]?.toUpperCase()} `)).toEqual({ kind: "taken" });
  expect((await answerOf(id)).answer_option).toBe(options[0]?.id);
});

test("only its owner is asked", async () => {
  const { escalationId: id, options } = await askedOutcome();
  const stranger = await makeUser();
  expect(await isOpen(id, stranger)).toBe(false);
  expect(await press(id, stranger, options[0]?.id ?? "")).toEqual({ kind: "closed" });
  expect((await answerOf(id)).status).toBe("pending");
});
