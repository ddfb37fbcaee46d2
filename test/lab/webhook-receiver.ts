// A program that receives webhooks: it keeps what came and answers as a test says. A request can be held, so that a worker dies while it
// waits for the answer.

import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  readonly id: string;
  readonly timestamp: number;
  readonly signatures: readonly string[];
  readonly body: string;
  readonly json: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
};

export type WebhookAnswer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

export type WebhookReceiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** The next request is answered like this, the one after it like the next; then with 204. */
  readonly answerNext: (...answers: readonly WebhookAnswer[]) => void;
  /** Requests are kept waiting until `release` is called. */
  readonly hold: () => void;
  readonly release: () => void;
  readonly close: () => Promise<void>;
};

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const answers: WebhookAnswer[] = [];
  let held: PromiseWithResolvers<void> | null = null;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    received.push(await readRequest(request));
    await held?.promise;
    const { status, headers = {} } = answers.shift() ?? { status: 204 };
    response.writeHead(status, headers);
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const release = () => {
    held?.resolve();
    held = null;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answerNext: (...more) => void answers.push(...more),
    hold: () => {
      held = Promise.withResolvers();
    },
    release,
    close: async () => {
      release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const header = (name: string) => String(request.headers[name] ?? "");
  return {
    id: header("webhook-id"),
    timestamp: Number(header("webhook-timestamp")),
    signatures: header("webhook-signature").split(" "),
    body,
    json: JSON.parse(body),
  };
}

/** As a receiver checks it, written apart from our own code. */
export function isSignedWith(secret: string, { id, timestamp, signatures, body }: Received): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return signatures.includes(`v1,${expected}`);
}
