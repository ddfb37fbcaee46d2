// A notification as a message of a Telegram chat: what happened, what is asked with a button for each option, and where to look.

import { type AskedQuestion, readAsked, readName, readOpening } from "../../domain/channel/asked.ts";
import type { DeliveryId } from "../../domain/channel/channel.ts";
import { wholeAt } from "../../lib/slice-text.ts";
import type { DeliveryPayload } from "../../store/channel/plan-deliveries.ts";

export type Button = { readonly text: string; readonly callback_data: string };

export type ChatMessage = {
  readonly text: string;
  readonly parse_mode: "HTML";
  readonly link_preview_options: { readonly is_disabled: true };
  readonly reply_markup?: { readonly inline_keyboard: readonly (readonly Button[])[] };
};

/** Telegram takes 4,096 characters: a title, a message or five questions, an opening and the link fit. */
const partMax = 800;
const questionMax = 600;
/** As much as a phone shows of a button. */
const buttonMax = 60;

export function writeMessage(id: DeliveryId, payload: DeliveryPayload, origin: string): ChatMessage {
  const { title, message, actionUrl, data } = payload;
  const asked = readAsked(data);
  const opening = readOpening(data);
  // The message of something that asks repeats what it asks.
  const about = asked.length > 0 ? (readName(data) ?? message) : message;
  const parts = [
    `<b>${escapeHtml(title)}</b>`,
    escapeHtml(cut(about, partMax)),
    ...asked.map((question, at) => writeQuestion(question, asked.length > 1 ? at + 1 : null)),
    ...(opening === null ? [] : [escapeHtml(cut(opening, partMax))]),
    ...(asked.length > 0 ? ["<i>Choose an answer, or reply to this message.</i>"] : []),
  ];
  const buttons = asked.flatMap((question, at) => buttonsOf(id, question, at, asked.length > 1));
  return {
    text: `${parts.join("\n\n")}\n\n${escapeHtml(`${origin}${actionUrl}`)}`,
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
    ...(buttons.length > 0 ? { reply_markup: { inline_keyboard: buttons } } : {}),
  };
}

const writeQuestion = ({ text }: AskedQuestion, number: number | null): string =>
  escapeHtml(cut(number === null ? text : `${number}. ${text}`, questionMax));

/** One row for each option, so that long ones can be read. */
function buttonsOf(id: DeliveryId, { options }: AskedQuestion, at: number, isNumbered: boolean): readonly Button[][] {
  return options.map(({ label }, place) => [
    { text: cut(isNumbered ? `${at + 1}. ${label}` : label, buttonMax), callback_data: writePress(id, at, place) },
  ]);
}

/** A button that was pressed: which delivery, which question of it, which option. Telegram has room for 64 bytes. */
const writePress = (id: DeliveryId, question: number, option: number): string => `${id}:${question}:${option}`;

export function readPress(data: string): { id: string; question: number; option: number } | null {
  const found = /^([0-9a-f-]{36}):(\d{1,2}):(\d{1,2})$/.exec(data);
  return found && { id: found[1] ?? "", question: Number(found[2]), option: Number(found[3]) };
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, wholeAt(text, max - 1))}…`;
