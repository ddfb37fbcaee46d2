// What package-lock.json and the registry's audit say, judged.

import { z } from "zod";

const lock = z.object({
  packages: z.record(z.string(), z.object({ link: z.boolean().optional(), integrity: z.string().optional() })),
});

/** Packages without a hash that npm compares when it installs them. */
export function judgeLock(text: string): readonly string[] {
  return Object.entries(lock.parse(JSON.parse(text)).packages)
    .filter(([place, { link }]) => place.includes("node_modules/") && !link)
    .filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""))
    .map(([place]) => place);
}

const audit = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
});

/** `output`: what `npm audit --json` printed, warnings before it included. */
export function judgeAudit(output: string): { readonly faults: readonly string[]; readonly note: string | null } {
  const answered = audit.safeParse(readJson(output));
  if (!answered.success)
    return {
      faults: [],
      note: "the registry does not answer audits here, so known faults of packages were NOT looked for",
    };
  const faults = Object.entries(answered.data.vulnerabilities)
    .filter(([, { severity }]) => severity === "high" || severity === "critical")
    .map(([name, { severity, range }]) => `${name} ${range}: a known fault of ${severity} severity (npm audit)`);
  return { faults, note: null };
}

function readJson(output: string): unknown {
  try {
    return JSON.parse(output.slice(output.indexOf("{")));
  } catch {
    return null; // no answer at all: judged as none
  }
}
