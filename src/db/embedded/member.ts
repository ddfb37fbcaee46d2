// One opener of the embedded database: signed in from `enter` to `release`. Whatever it changes, it changes inside the
// data folder's lock, so an opener and the last one to leave cannot miss each other.

import { existsSync } from "node:fs";
import { identify, type ProcessIdentity, thisProcess } from "../../files/process-identity.ts";
import { AppError } from "../../lib/app-error.ts";
import { assert } from "../../lib/assert.ts";
import { adopt, type BringUpRequest, bringUp, type Up } from "./bring-up.ts";
import { withClusterLock } from "./cluster-lock.ts";
import { urlOf } from "./connection.ts";
import type { DataFolder } from "./data-folder.ts";
import type { EmbeddedCluster, EmbeddedInfo, EmbeddedOptions } from "./embedded-cluster.ts";
import { withAdvice } from "./file-error.ts";
import { findRunning } from "./find-ready.ts";
import { trimLog } from "./log-file.ts";
import { defaultSharedFolders } from "./shared-folder.ts";
import { stopPostmaster } from "./stop-postmaster.ts";
import { freshen, freshenEveryMs, signIn, signOut, sweepUsers, usersOf } from "./users.ts";

const defaultDatabase = "homework";
/** With the pauses between them about six seconds, on top of what each start may take. */
const restartsMax = 5;
const firstPauseMs = 200;

export class Member implements EmbeddedCluster {
  readonly #options: EmbeddedOptions;
  readonly #data: DataFolder;
  readonly #self: ProcessIdentity;
  readonly #seat: string;
  #up: Up | undefined;
  #opened: Up | undefined;
  #repair: Promise<void> | undefined;
  #left: Promise<void> | undefined;
  #freshening: NodeJS.Timeout | undefined;

  constructor(options: EmbeddedOptions, data: DataFolder) {
    this.#options = options;
    this.#data = data;
    this.#self = identify(options.platform.pid) ?? thisProcess();
    this.#seat = options.env.newId();
  }

  get adminUrl(): string {
    return urlOf(this.#current);
  }

  get info(): EmbeddedInfo {
    const { memory, pid, port } = this.#current;
    return {
      dataFolder: memory.cluster,
      port,
      pid,
      binaries: memory.binaries ?? "",
      osUser: memory.osUser?.name ?? null,
      adopted: this.#opened?.adopted ?? false,
      createdNow: this.#opened?.createdNow ?? false,
    };
  }

  async enter(): Promise<void> {
    // Who is signed in is not left alone by the last one out, so the rest can wait for a slow server without the lock.
    await this.#locked(async () => {
      trimLog(this.#data.log);
      sweepUsers(this.#data.users);
      this.#sit();
    });
    try {
      await this.#findOrBringUp();
    } catch (error) {
      this.#stand();
      throw error;
    }
    this.#opened = this.#up;
    this.#options.logger.debug({ ...this.info }, "the embedded database is open");
  }

  ensureRunning = async (): Promise<void> => {
    if (this.#left !== undefined)
      throw new AppError("shutting_down", "This process has let go of the embedded database");
    this.#repair ??= this.#bringBack().finally(() => {
      this.#repair = undefined;
    });
    return this.#repair;
  };

  release = (): Promise<void> => {
    this.#left ??= this.#leave();
    return this.#left;
  };

  async #bringBack(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#locked(async () => this.#sit());
        return await this.#findOrBringUp();
      } catch (error) {
        if (attempt >= restartsMax || this.#left !== undefined || !mayPass(error)) throw error;
        this.#options.logger.warn({ attempt, error }, "the embedded database could not be brought back yet");
        await this.#options.env.sleep(firstPauseMs * 2 ** attempt * (0.5 + this.#options.env.random()));
      }
    }
  }

  async #findOrBringUp(): Promise<void> {
    const request = this.#bringUpRequest;
    this.#up = (await adopt(request)) ?? (await this.#locked(() => bringUp(request)));
  }

  async #leave(): Promise<void> {
    await this.#repair?.catch(() => {});
    clearInterval(this.#freshening);
    if (!existsSync(this.#data.path)) return;
    await this.#locked(async () => {
      this.#stand();
      sweepUsers(this.#data.users);
      if (usersOf(this.#data.users).length > 0) return;
      const { memory, password } = this.#current;
      const running = await findRunning(memory.cluster, password);
      if (running) await stopPostmaster(running.process, this.#options.env);
    });
  }

  #sit(): void {
    signIn(this.#data.users, this.#self, this.#seat);
    this.#freshening ??= setInterval(() => this.#freshen(), freshenEveryMs).unref();
  }

  #stand(): void {
    clearInterval(this.#freshening);
    signOut(this.#data.users, this.#self, this.#seat);
  }

  #freshen(): number {
    try {
      return freshen(this.#data.users, this.#self, this.#seat);
    } catch {
      // The folder was removed, or its disk went away: the next caller that needs the database gets the error.
      return this.#options.env.now();
    }
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    const { env } = this.#options;
    return withAdvice(this.#data.path, () => withClusterLock(this.#data, { self: this.#self, env }, work));
  }

  get #current(): Up {
    assert(this.#up, "the embedded database is used before it is open");
    return this.#up;
  }

  get #bringUpRequest(): BringUpRequest {
    const { env, logger, say, platform, settings, database } = this.#options;
    return {
      data: this.#data,
      env,
      logger,
      say,
      freshen: () => this.#freshen(),
      database: database ?? defaultDatabase,
      settings: settings ?? {},
      uid: platform.uid,
      sharedFolders: platform.sharedFolders ?? defaultSharedFolders(),
      native: platform.binaries,
    };
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof AppError && error.code === "database_unavailable";
}
