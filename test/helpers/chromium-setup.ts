// Tells the browser tests which Chromium to use; looks only where such tests are going to run.

import type { TestProject } from "vitest/node";
import { findChromium } from "./find-chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    chromiumPath?: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  if (!project.vitest.projects.some(({ name }) => name === "browser")) return;
  const found = await findChromium();
  if (found === undefined) throw new Error("there is no Chromium: npm test gets one");
  project.provide("chromiumPath", found.path);
}
