// A Chromium for the browser tests: the one named, the one npm brings, or the system's.

import { aptInstall, canInstall } from "./apt.ts";
import { findOnPath, works } from "./programs.ts";

export type Chromium = { readonly path: string; readonly from: string };

/** The shell first: the same browser without its window, and a test takes a third less time in it. */
const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Whatever it takes. npm's comes before the system's: it is the same everywhere, and a test takes a sixth less of the processor in it
 * than in Debian's.
 */
export async function obtainChromium(): Promise<Chromium> {
  const here = await findChromium();
  if (here) return here;
  if (canInstall() && ((await aptInstall("chromium-headless-shell")) || (await aptInstall("chromium")))) {
    const installed = findSystemChromium();
    if (installed) return { ...installed, from: "apt-get" };
  }
  throw new Error("npm's Chromium does not start here, and the system has none");
}

/** What is here already. Throws where CHROMIUM_PATH names something that does not start. */
export async function findChromium(): Promise<Chromium | undefined> {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!works(named, ["--version"])) throw new Error(`CHROMIUM_PATH=${named} does not start`);
    return { path: named, from: "CHROMIUM_PATH" };
  }
  const brought = await unpackNpmChromium();
  return works(brought.path, ["--version"]) ? brought : findSystemChromium();
}

function findSystemChromium(): Chromium | undefined {
  const found = findOnPath(programs);
  return found && works(found, ["--version"]) ? { path: found, from: "this system" } : undefined;
}

/** Sets environment variables, which the browser needs to find its libraries. */
async function unpackNpmChromium(): Promise<Chromium> {
  // Makes the package bring libraries that a bare machine lacks; it looks when it is loaded.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  return { path: await chromium.executablePath(), from: "npm (@sparticuz/chromium)" };
}
