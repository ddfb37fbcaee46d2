// A Chromium for tests, pictures and benches: the one named, npm's, the system's, or one that is installed.

import { aptInstall, canInstall } from "./apt.ts";
import { findOnPath, works } from "./programs.ts";

export type Chromium = { readonly path: string; readonly from: string };

/** The shell first: the same browser without its window, and a test takes a third less time in it. */
const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** For tests: npm's before the system's, since the same test takes a fifth less processor time in it. */
export async function testChromium(): Promise<Chromium> {
  return namedChromium() ?? (await npmChromium()) ?? (await obtainChromium());
}

/** For pictures and benches, which are to see what people have: the system's, one that is installed where that may be, or npm's. */
export async function obtainChromium(): Promise<Chromium> {
  const here = namedChromium() ?? systemChromium("this system");
  if (here) return here;
  const hasInstalled =
    canInstall() && ((await aptInstall("chromium-headless-shell")) || (await aptInstall("chromium")));
  const found = (hasInstalled ? systemChromium("apt-get") : undefined) ?? (await npmChromium());
  if (!found) throw new Error("none on this system, none could be installed, and npm's does not start here");
  return found;
}

/** Throws where CHROMIUM_PATH names something that does not start. */
function namedChromium(): Chromium | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (!named) return undefined;
  if (!starts(named)) throw new Error(`CHROMIUM_PATH=${named} does not start`);
  return { path: named, from: "CHROMIUM_PATH" };
}

function systemChromium(from: string): Chromium | undefined {
  const found = findOnPath(programs);
  return found && starts(found) ? { path: found, from } : undefined;
}

/** Undefined on processors it was not made for. Sets environment variables, which the browser needs to find its libraries. */
async function npmChromium(): Promise<Chromium | undefined> {
  // Makes the package bring libraries that a bare machine lacks; it looks when it is loaded.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  const path = await chromium.executablePath();
  return starts(path) ? { path, from: "npm (@sparticuz/chromium)" } : undefined;
}

const starts = (path: string): boolean => works(path, ["--version"]);
