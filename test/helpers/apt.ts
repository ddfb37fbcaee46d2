// Installs Debian packages where we may: as root, where apt-get is. Says what it does.

import { findOnPath, runShown } from "./programs.ts";

let updated = false;

export const canInstall = (): boolean => process.getuid?.() === 0 && findOnPath(["apt-get"]) !== undefined;

/** False when the package cannot be had; apt-get has then said why. */
export async function aptInstall(packageName: string): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (!updated) {
    updated = true;
    say("apt-get update");
    // An old list of packages may still do, so a failure here does not decide.
    await runShown("apt-get", ["update", "-qq"], env);
  }
  const flags = ["install", "-y", "-qq", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold"];
  say(`apt-get install ${packageName}`);
  return (await runShown("apt-get", [...flags, packageName], env)) === 0;
}

function say(what: string): void {
  process.stdout.write(`    ${what}\n`);
}
