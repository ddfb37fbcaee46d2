// Follows one answer to its end: on a terminal it is written as it comes, elsewhere when it is whole. What it looked up is told
// on the way.

import { type ChatEvent, type ChatMessage, routes } from "../../protocol/api.ts";
import { Ended } from "../exit-code.ts";
import { type ApiInvocation, isGivenUp } from "../invocation.ts";
import { oneLine, withoutEscapes } from "../plain-text.ts";

const endings: readonly ChatEvent["type"][] = ["confirm", "done", "error"];
/** An answer has at most eight messages; the last one of them is looked for. */
const messagesLooked = 20;

export type DueAnswer = {
  readonly chatId: string;
  /** The first message of it. */
  readonly answerSeq: number;
  readonly since: number;
};

/** The message it ended with. Throws `Ended` if the person left. */
export async function followAnswer(given: ApiInvocation, due: DueAnswer): Promise<ChatMessage> {
  const { host, output } = given;
  try {
    const printer = host.terminal.columns !== null && !output.isJson ? livePrinter(given) : null;
    const seq = await untilEnd(given, due, printer);
    const message = await readMessage(given, due.chatId, seq);
    if (printer !== null) printer.finish(message);
    return message;
  } catch (thrown) {
    if (!isGivenUp(host, thrown)) throw thrown;
    output.warn(
      `\nThe answer continues while Homework is running. Read it with: homework chat --session ${due.chatId}`,
    );
    throw new Ended("interrupted");
  }
}

/** The number of the message that ended it. */
async function untilEnd(given: ApiInvocation, due: DueAnswer, printer: Printer | null): Promise<number> {
  const { follow, host, output } = given;
  const over = new AbortController();
  const signal = AbortSignal.any([host.stop, over.signal]);
  const input = { params: { chatId: due.chatId }, query: {} };
  try {
    for await (const { data: event } of follow(routes.chats.stream, input, { after: due.since, signal })) {
      const seq = Number(event.data.message_seq);
      if (seq < due.answerSeq) continue;
      if (event.type === "text") printer?.show(seq, Number(event.data.at), String(event.data.text));
      if (event.type === "tool") {
        printer?.pause();
        output.say(output.paint("dim", `· ${oneLine(String(event.data.summary ?? event.data.tool))}`));
      }
      if (endings.includes(event.type)) return seq;
    }
  } finally {
    over.abort();
  }
  host.stop.throwIfAborted();
  throw new Ended("failed");
}

async function readMessage({ api }: ApiInvocation, chatId: string, seq: number): Promise<ChatMessage> {
  const { messages } = await api(routes.chats.get, { params: { chatId }, query: { limit: messagesLooked } });
  const message = messages.items.find((one) => one.seq === seq);
  if (!message) throw new Ended("failed");
  return message;
}

type Printer = {
  readonly show: (seq: number, at: number, text: string) => void;
  /** Something else is about to be said. */
  readonly pause: () => void;
  readonly finish: (message: ChatMessage) => void;
};

/** What stands on a terminal cannot be taken back: where the answer begins anew, so does its text. */
function livePrinter({ host }: ApiInvocation): Printer {
  let printed = "";
  let of = 0;
  const write = (text: string) => host.terminal.out(withoutEscapes(text));
  const pause = () => {
    if (printed !== "" && !printed.endsWith("\n")) host.terminal.out("\n");
    printed = "";
  };
  const bringTo = (seq: number, text: string) => {
    if (seq !== of || !text.startsWith(printed)) pause();
    of = seq;
    write(text.slice(printed.length));
    printed = text;
  };
  return {
    pause,
    show: (seq, at, text) => bringTo(seq, (seq === of ? printed.slice(0, at) : "") + text),
    finish: ({ seq, text }) => {
      bringTo(seq, text);
      pause();
    },
  };
}
