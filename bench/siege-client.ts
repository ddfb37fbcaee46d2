// One client of a server as the siege has many: it has an address of its own on this machine's loopback network, keeps its connections and
// its cookies, and says how long each answer took until its last byte.

import http from "node:http";

export type Answer = { readonly status: number; readonly body: string; readonly ms: number };

export type Client = {
  readonly send: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** A live stream; `onEnd` hears how it ended. */
  readonly follow: (path: string, onEnd: (end: "closed" | "broken" | number) => void) => void;
  readonly cookie: () => string;
  readonly close: () => void;
};

/** Longer than any answer may take: only a server that hangs is cut off by it. */
const answerLimitMs = 60_000;

export function createClient(url: string, localAddress: string): Client {
  const agent = new http.Agent({ keepAlive: true, localAddress } as http.AgentOptions);
  const cookies = new Map<string, string>();
  const streams = new Set<http.ClientRequest>();
  let isClosed = false;
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  function keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  const headers = () => ({ origin: url, cookie: cookie(), "content-type": "application/json" });

  const send = (method: string, path: string, body: unknown, began: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = http.request(
        `${url}${path}`,
        { method, agent, headers: headers(), timeout: answerLimitMs },
        (response) => {
          keep(response.headers["set-cookie"] ?? []);
          let text = "";
          response.setEncoding("utf8").on("data", (piece: string) => {
            text += piece;
          });
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, body: text, ms: performance.now() - began }),
          );
          response.on("error", reject);
        },
      );
      request.on("timeout", () => request.destroy(new Error(`no answer within ${answerLimitMs} ms`)));
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection just when it is used again; browsers then take another one.
        if (request.reusedSocket && error.code === "ECONNRESET") resolve(send(method, path, body, began));
        else reject(error);
      });
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });

  return {
    cookie,
    send: (method, path, body) => send(method, path, body, performance.now()),
    follow: (path, onEnd) => {
      const request = http.get(
        `${url}${path}`,
        { agent: false, localAddress, headers: headers() } as http.RequestOptions,
        (response) => {
          if (response.statusCode !== 200) onEnd(response.statusCode ?? 0);
          else {
            response.on("end", () => onEnd("closed"));
            response.on("error", () => isClosed || onEnd("broken"));
          }
          response.resume();
        },
      );
      request.on("error", () => isClosed || onEnd("broken"));
      request.on("close", () => streams.delete(request));
      streams.add(request);
    },
    close: () => {
      isClosed = true;
      for (const stream of streams) stream.destroy();
      agent.destroy();
    },
  };
}

/** On a new data folder of this machine the first one to come is the admin. */
export async function signUpAs(client: Client, name: string): Promise<void> {
  const account = { name, email: emailOf(name), password: passwordOf(name) };
  const { status, body } = await client.send("POST", "/api/auth/sign-up", account);
  if (status !== 201) throw new Error(`no account for ${name}: ${status} ${body}`);
}

export const emailOf = (name: string): string => `${name}@example.test`;
export const passwordOf = (name: string): string => `the password of ${name}`;
