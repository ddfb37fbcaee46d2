// What the embedded database asks of its caller and gives back. `openEmbedded` makes one.

import type { Env } from "../../lib/env.ts";
import type { Logger } from "../../lib/logger.ts";

export type EmbeddedPlatform = {
  /** Undefined where there are no user ids (Windows). */
  readonly uid: number | undefined;
  readonly pid: number;
  /** Where root keeps what the database's user must reach, best first. */
  readonly sharedFolders?: readonly string[];
  /** The folder with PostgreSQL's bin, lib and share, if not the one that npm brought. */
  readonly binaries?: string;
};

export type EmbeddedOptions = {
  /** The product's data folder; made if missing. */
  readonly dataDir: string;
  readonly env: Env;
  readonly logger: Logger;
  /** Words for the person, one line each. */
  readonly say: (line: string) => void;
  /** More settings of the server; they count only for the process that starts it. */
  readonly settings?: Readonly<Record<string, string>>;
  /** "homework" unless told. */
  readonly database?: string;
  readonly platform: EmbeddedPlatform;
};

export type EmbeddedInfo = {
  /** The cluster's own folder. */
  readonly dataFolder: string;
  readonly port: number;
  readonly pid: number;
  readonly binaries: string;
  /** Whom the server runs as; null: the user of this process. */
  readonly osUser: string | null;
  /** It was running already when this process opened it. */
  readonly adopted: boolean;
  readonly createdNow: boolean;
};

export type EmbeddedCluster = {
  /** Of the superuser, password included. The port changes if another program took it: read it anew after `ensureRunning`. */
  readonly adminUrl: string;
  readonly info: EmbeddedInfo;
  /** Starts the server again if it went away; callers at the same time share one attempt. */
  readonly ensureRunning: () => Promise<void>;
  /** This process no longer needs it; the last one to leave stops the server. */
  readonly release: () => Promise<void>;
};
