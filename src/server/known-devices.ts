// The cookie of a browser that has signed in before: a random name for the browser, and for each account a mark that only we can make.
// The cookie does not sign in. It only says that failed tries of others at this account are not this browser's.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Env } from "../lib/env.ts";

const cookieName = "homework.device";
const accountsMax = 10;
const yearSeconds = 365 * 24 * 60 * 60;

export type KnownDevices = {
  /** The browser's name, if it has signed in to this account before. */
  readonly recognize: (cookies: string | undefined, account: string) => string | null;
  /** The cookie to set now that it has. */
  readonly remember: (cookies: string | undefined, account: string) => string;
};

type Device = { readonly name: string; readonly marks: readonly string[] };

export function createKnownDevices(secret: string, isSecure: boolean, env: Pick<Env, "newId">): KnownDevices {
  const markOf = (name: string, account: string) =>
    createHmac("sha256", secret).update(`device ${name} ${account.toLowerCase()}`).digest("base64url");
  return {
    recognize: (cookies, account) => {
      const device = readDevice(cookies);
      if (device === null) return null;
      const mark = Buffer.from(markOf(device.name, account));
      const isKnown = device.marks.some((one) => one.length === mark.length && timingSafeEqual(Buffer.from(one), mark));
      return isKnown ? device.name : null;
    },
    remember: (cookies, account) => {
      const device = readDevice(cookies) ?? { name: env.newId(), marks: [] };
      const mark = markOf(device.name, account);
      const marks = [mark, ...device.marks.filter((one) => one !== mark)].slice(0, accountsMax);
      const secure = isSecure ? "; Secure" : "";
      const value = `${device.name}.${marks.join(".")}`;
      return `${cookieName}=${value}; Max-Age=${yearSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
    },
  };
}

const pattern = /(?:^|;\s*)homework\.device=([0-9a-f-]{36})((?:\.[\w-]{43}){1,10})(?:;|$)/;

function readDevice(cookies: string | undefined): Device | null {
  const [, name, marks] = pattern.exec(cookies ?? "") ?? [];
  return name === undefined || marks === undefined ? null : { name, marks: marks.slice(1).split(".") };
}
