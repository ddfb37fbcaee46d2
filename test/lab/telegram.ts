// A server that speaks Telegram's Bot API, as far as we use it, and is as strict as the real one: updates are kept until they are
// confirmed, two who ask for them at once are told of a conflict, and messages that Telegram would refuse are refused. Tests
// write and press buttons as people do.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const labToken = "4242:lab-token-of-the-tests-0123456789";
const labBot = { id: 4242, username: "homework_lab_bot" } as const;

type Button = { readonly text: string; readonly callback_data: string };

export type LabMessage = {
  readonly messageId: number;
  readonly chatId: number;
  /** As people read it: tags are gone, entities are signs. */
  readonly text: string;
  readonly raw: string;
  buttons: readonly (readonly Button[])[];
};

export type TelegramLab = {
  readonly url: string;
  /** What the bot wrote, oldest first. */
  readonly messages: (chatId: number) => readonly LabMessage[];
  /** What was flashed when buttons were pressed. */
  readonly flashes: () => readonly string[];
  /** By method, how often it was called. */
  readonly calls: (method: string) => number;
  /** This and the next ones answer the number of the update. */
  readonly say: (chatId: number, text: string, replyTo?: number) => number;
  readonly sayInGroup: (chatId: number, text: string) => number;
  /** Presses the button with this text under a message. */
  readonly press: (message: LabMessage, text: string, by?: number) => number;
  /** The next calls of this method fail like this. */
  readonly failNext: (method: string, failure: LabFailure, times?: number) => void;
  /** The same update once more, as if it had not been confirmed. */
  readonly repeat: (updateId: number) => void;
  /** How often two asked for updates at the same time. */
  readonly conflicts: () => number;
  readonly close: () => Promise<void>;
};

export type LabFailure = {
  readonly status: number;
  readonly description: string;
  readonly retryAfter?: number;
  /** Only what is for this chat fails; without it, any call. */
  readonly chatId?: number;
};

type Update = { readonly update_id: number } & Readonly<Record<string, unknown>>;
type Sent = Readonly<Record<string, unknown>>;

class Refusal extends Error {
  readonly failure: LabFailure;
  constructor(failure: LabFailure) {
    super(failure.description);
    this.failure = failure;
  }
}

const refuse = (description: string): never => {
  throw new Refusal({ status: 400, description: `Bad Request: ${description}` });
};

/** Many bots are older than ours: the first number is not 1. */
const firstUpdate = 71_000_100;

export async function startTelegramLab(): Promise<TelegramLab> {
  const state = new LabState();
  const server = createServer((request, response) => void answer(state, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    messages: (chatId) => state.messages.filter((message) => message.chatId === chatId),
    flashes: () => state.flashes,
    calls: (method) => state.calls.get(method) ?? 0,
    say: (chatId, text, replyTo) => state.say(chatId, "private", text, replyTo),
    sayInGroup: (chatId, text) => state.say(chatId, "group", text),
    press: (message, text, by) => state.press(message, text, by),
    failNext: (method, failure, times = 1) =>
      void state.failures.set(method, [...(state.failures.get(method) ?? []), ...Array(times).fill(failure)]),
    repeat: (updateId) => state.repeat(updateId),
    conflicts: () => state.conflicts,
    close: async () => {
      state.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class LabState {
  readonly messages: LabMessage[] = [];
  readonly flashes: string[] = [];
  readonly calls = new Map<string, number>();
  readonly failures = new Map<string, LabFailure[]>();
  updates: Update[] = [];
  conflicts = 0;
  readonly #all: Update[] = [];
  readonly #repeated: Update[] = [];
  #nextUpdate = firstUpdate;
  #nextMessage = 1;
  /** Whoever asks for updates and waits. */
  #waiting: { readonly end: (conflict: boolean) => void } | null = null;

  say(chatId: number, type: string, text: string, replyTo?: number): number {
    const chat = { id: chatId, type, first_name: "Ada", username: `ada_${chatId}` };
    const reply = replyTo === undefined ? {} : { reply_to_message: { message_id: replyTo } };
    return this.#add({ message: { message_id: this.#nextMessage++, chat, from: { id: chatId }, text, ...reply } });
  }

  press({ chatId, messageId, buttons }: LabMessage, text: string, by = chatId): number {
    const button = buttons.flat().find((each) => each.text === text);
    if (button === undefined) throw new Error(`no button "${text}" among ${JSON.stringify(buttons)}`);
    const message = { message_id: messageId, chat: { id: chatId, type: "private" } };
    return this.#add({
      callback_query: { id: `press-${this.#nextUpdate}`, from: { id: by }, data: button.callback_data, message },
    });
  }

  repeat(updateId: number): void {
    const update = this.#all.find((each) => each.update_id === updateId);
    if (update === undefined) throw new Error(`no update ${updateId}`);
    this.#repeated.push(update);
    this.#waiting?.end(false);
  }

  #add(what: Readonly<Record<string, unknown>>): number {
    const update = { update_id: this.#nextUpdate++, ...what };
    this.#all.push(update);
    this.updates.push(update);
    this.#waiting?.end(false);
    return update.update_id;
  }

  /** Confirms everything before `offset`, and waits for what comes then. */
  async getUpdates({ offset = 0, timeout = 0 }: { offset?: number; timeout?: number }): Promise<readonly Update[]> {
    this.#waiting?.end(true);
    this.updates = this.updates.filter(({ update_id }) => update_id >= offset);
    // What was repeated comes whatever the offset says, as if its confirmation had been lost.
    this.updates.unshift(...this.#repeated.splice(0));
    if (this.updates.length === 0 && timeout > 0) await this.#wait(timeout * 1_000);
    this.updates.unshift(...this.#repeated.splice(0));
    return this.updates.slice(0, 100);
  }

  async #wait(ms: number): Promise<void> {
    const conflict = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, ms, false);
      this.#waiting = {
        end: (isConflict) => {
          clearTimeout(timer);
          this.#waiting = null;
          resolve(isConflict);
        },
      };
    });
    if (conflict) this.conflicts += 1;
    if (conflict) throw new Refusal({ status: 409, description: "Conflict: terminated by other getUpdates request" });
  }

  sendMessage({ chat_id, text, parse_mode, reply_markup }: Sent): object {
    if (typeof text !== "string" || text.trim() === "") return refuse("message text is empty");
    const plain = parse_mode === "HTML" ? readHtml(text) : text;
    if (plain.length > 4_096) refuse("message is too long");
    const buttons = (reply_markup as { inline_keyboard?: Button[][] } | undefined)?.inline_keyboard ?? [];
    for (const { callback_data } of buttons.flat())
      if (callback_data === "" || Buffer.byteLength(callback_data) > 64) refuse("BUTTON_DATA_INVALID");
    const message = { messageId: this.#nextMessage++, chatId: Number(chat_id), text: plain, raw: text, buttons };
    this.messages.push(message);
    return { message_id: message.messageId, chat: { id: message.chatId, type: "private" }, text: plain };
  }

  editMarkup({ chat_id, message_id, reply_markup }: Sent): object {
    const message = this.messages.find((each) => each.messageId === message_id && each.chatId === chat_id);
    if (message === undefined) return refuse("message to edit not found");
    message.buttons = (reply_markup as { inline_keyboard: Button[][] }).inline_keyboard;
    return { message_id };
  }

  flash({ text }: Sent): true {
    if (String(text).length > 200) refuse("MESSAGE_TOO_LONG");
    this.flashes.push(String(text));
    return true;
  }

  close(): void {
    this.#waiting?.end(false);
  }
}

/** Tags that Telegram knows, balanced; anything else is refused. */
function readHtml(text: string): string {
  const open: string[] = [];
  for (const [, slash, tag = ""] of text.matchAll(/<(\/?)([^>]*)>/g)) {
    if (!["b", "i", "code", "pre"].includes(tag)) refuse(`can't parse entities: Unsupported start tag "${tag}"`);
    if (slash === "") open.push(tag);
    else if (open.pop() !== tag) refuse("can't parse entities: Unmatched end tag");
  }
  if (open.length > 0) refuse("can't parse entities: Can't find end tag");
  const bare = text.replaceAll(/<\/?[a-z]+>/g, "");
  if (/[<>]|&(?!(?:amp|lt|gt|quot);)/.test(bare)) refuse("can't parse entities");
  return bare.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

async function answer(state: LabState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, body: object) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  try {
    send(200, { ok: true, result: await carryOut(state, request) });
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) return send(500, { ok: false, error_code: 500, description: String(thrown) });
    const { status, description, retryAfter } = thrown.failure;
    const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } };
    send(status, { ok: false, error_code: status, description, ...parameters });
  }
}

async function carryOut(state: LabState, request: IncomingMessage): Promise<unknown> {
  const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
  if (token !== labToken) throw new Refusal({ status: 401, description: "Unauthorized" });
  const body = JSON.parse((await readAll(request)) || "{}");
  state.calls.set(method, (state.calls.get(method) ?? 0) + 1);
  const failures = state.failures.get(method) ?? [];
  const index = failures.findIndex(({ chatId }) => chatId === undefined || chatId === Number(body.chat_id));
  const failure = index < 0 ? undefined : failures.splice(index, 1)[0];
  if (failure) throw new Refusal(failure);
  switch (method) {
    case "getMe":
      return { ...labBot, is_bot: true };
    case "getUpdates":
      return state.getUpdates(body);
    case "sendMessage":
      return state.sendMessage(body);
    case "answerCallbackQuery":
      return state.flash(body);
    case "editMessageReplyMarkup":
      return state.editMarkup(body);
    default:
      throw new Refusal({ status: 404, description: "Not Found: method not found" });
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
