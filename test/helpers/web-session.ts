// Sessions of a browser begun without the sign-in page, for tests that are about something else:
// `await browser.open(server.url, (await ownerSession(server)).profile)`.

import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContextOptions } from "playwright-core";
import { routes } from "../../src/protocol/api.ts";
import { type Api, createApi } from "../../src/protocol/client.ts";
import { patienceMs } from "./patience.ts";
import type { Serving } from "./served.ts";

export type WebSession = {
  /** For `browser.open`: a profile that is signed in. */
  readonly profile: Pick<BrowserContextOptions, "storageState">;
  /** The same person, as the page's scripts would call. */
  readonly api: Api;
};

export type Person = WebSession & { readonly name: string; readonly email: string; readonly password: string };

/** What the list of sessions calls "Firefox on Linux". */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** Who signs in often in a test is no attacker. */
export const accountsSettings = {
  HOMEWORK_ACCOUNTS: "true",
  HOMEWORK_SIGN_UP: "open",
  HOMEWORK_SIGN_IN_LIMIT_PER_MINUTE: "10000",
} as const;

/** The link that the start command printed. */
export async function loginLink(server: Serving): Promise<string> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 20) {
    const [link] = /http\S+\/auth\/once\?token=\w+/.exec(server.words()) ?? [];
    if (link) return link;
    await sleep(20);
  }
  throw new Error(`the server printed no login link:\n${server.words()}`);
}

/** Uses up the login link. */
export async function ownerSession(server: Serving): Promise<WebSession> {
  return sessionFrom(server, await fetch(await loginLink(server), { redirect: "manual" }));
}

/** The data folder was used without accounts before: the first to sign up turns its owner into the admin, with the printed token. */
async function findBootstrapToken({ url, words }: Serving): Promise<{ readonly bootstrap_token?: string }> {
  const { bootstrap } = (await (await fetch(`${url}${routes.instance.info.path}`)).json()) as { bootstrap: string };
  const [, token] = /#setup=(\w+)/.exec(words()) ?? [];
  return bootstrap === "token" && token !== undefined ? { bootstrap_token: token } : {};
}

export async function signUp(server: Serving, name: string): Promise<Person> {
  const [first = ""] = name.toLowerCase().split(" ");
  const person = { name, email: `${first}@example.test`, password: `the password of ${first}` };
  const answer = await fetch(`${server.url}${routes.identity.signUp.path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": userAgent },
    body: JSON.stringify({ ...person, ...(await findBootstrapToken(server)) }),
  });
  return { ...person, ...sessionFrom(server, answer) };
}

function sessionFrom({ url }: Serving, answer: Response): WebSession {
  const pairs = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  if (pairs.length === 0) throw new Error(`no session began: ${answer.status}`);
  const cookies = pairs.map((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const rest = {
      domain: "127.0.0.1",
      path: "/",
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: "Lax",
    } as const;
    return { name, value, ...rest };
  });
  const headers = { cookie: pairs.join("; "), origin: url };
  return {
    profile: { storageState: { cookies, origins: [] } },
    api: createApi({ baseUrl: url, fetch: (address, init) => fetch(address, init), headers }),
  };
}
