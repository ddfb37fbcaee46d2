// Whom PostgreSQL runs as. It refuses root, so root hands it to an unprivileged user and remembers which.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { elsewhere } from "./file-error.ts";

export type OsUser = { readonly name: string; readonly uid: number; readonly gid: number };

const ownUser = "homework-postgres";

/** Null when we may run it ourselves. A folder that belongs to somebody keeps belonging to them. */
export function chooseOsUser(uid: number | undefined, folder: string): OsUser | null {
  if (uid !== 0) return null;
  const owner = statSync(folder);
  if (owner.uid !== 0) return { name: nameOf(owner.uid) ?? String(owner.uid), uid: owner.uid, gid: owner.gid };
  const user = findUser("postgres") ?? findUser(ownUser) ?? makeUser() ?? findUser("nobody");
  if (user) return user;
  throw new AppError(
    "config_invalid",
    `PostgreSQL refuses to run as root, and this machine has no user to give it to. Run Homework as an ordinary user, or make one (useradd --system ${ownUser}). ${elsewhere}`,
  );
}

/** Whom a cluster's programs run as now: root steps down to its owner, everybody else stays who they are. */
export function runAs(
  uid: number | undefined,
  place: { readonly cluster: string; readonly osUser: OsUser | null },
): OsUser | null {
  if (uid !== 0) return null;
  if (place.osUser) return place.osUser;
  return chooseOsUser(uid, existsSync(place.cluster) ? place.cluster : path.dirname(place.cluster));
}

/** The user id that has no name on this machine (containers like to make them up); PostgreSQL insists on one. */
export function namelessId(user: OsUser | null): number | undefined {
  if (user) return nameOf(user.uid) === undefined ? user.uid : undefined;
  try {
    os.userInfo();
    return undefined;
  } catch {
    return process.getuid?.();
  }
}

function makeUser(): OsUser | undefined {
  try {
    execFileSync("useradd", ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", ownUser], {
      stdio: "ignore",
      timeout: 20_000,
      env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
    });
  } catch {
    // No useradd here, or the user database is read-only: the system's own user without rights will do.
    return undefined;
  }
  return findUser(ownUser);
}

function findUser(name: string): OsUser | undefined {
  return users().find((user) => user.name === name && user.uid !== 0);
}

function nameOf(uid: number): string | undefined {
  return users().find((user) => user.uid === uid)?.name;
}

function users(): readonly OsUser[] {
  try {
    return readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .filter((fields) => fields.length >= 4)
      .map(([name, , uid, gid]) => ({ name: name ?? "", uid: Number(uid), gid: Number(gid) }));
  } catch {
    return [];
  }
}
