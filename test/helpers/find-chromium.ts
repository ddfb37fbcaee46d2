// A Chromium for the browser tests: the one named, the system's, or the one npm brings.

import { aptInstall, canInstall } from "./apt.ts";
import { findOnPath, works } from "./programs.ts";

export type Chromium = { readonly path: string; readonly from: string };

/** The shell first: the same browser without its window, and a test takes a third less time in it. */
const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** What is here already. Throws where CHROMIUM_PATH names something that does not start. */
export function findSystemChromium(): Chromium | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!works(named, ["--version"])) throw new Error(`CHROMIUM_PATH=${named} does not start`);
    return { path: named, from: "CHROMIUM_PATH" };
  }
  const found = findOnPath(programs);
  return found && works(found, ["--version"]) ? { path: found, from: "this system" } : undefined;
}

/** The one npm brought. Sets environment variables, which the browser needs to find its libraries. */
export async function unpackNpmChromium(): Promise<Chromium> {
  // Makes the package bring libraries that a bare machine lacks; it looks when it is loaded.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  return { path: await chromium.executablePath(), from: "npm (@sparticuz/chromium)" };
}

/** Whatever it takes: looks, installs Debian's where it may, unpacks npm's otherwise. */
export async function obtainChromium(): Promise<Chromium> {
  const here = findSystemChromium();
  if (here) return here;
  if (canInstall() && ((await aptInstall("chromium-headless-shell")) || (await aptInstall("chromium")))) {
    const installed = findSystemChromium();
    if (installed) return { ...installed, from: "apt-get" };
  }
  return unpackNpmChromium();
}
