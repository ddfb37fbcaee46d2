// Everything the commands need from outside, as interfaces: `src/main/` implements them, tests fake them.
// A command never knows whether a server, a database or a process stands behind one of these.

import type { Env } from "../lib/env.ts";
import type { Api } from "../protocol/client.ts";
import type { Follow } from "../protocol/follow.ts";

/** What is there before any setting is read. */
export type Host = {
  readonly env: Pick<Env, "now" | "newId" | "sleep">;
  readonly terminal: Terminal;
  readonly files: Files;
  readonly version: string;
  /** Where the command was started. */
  readonly workingFolder: string;
  /** Of this terminal, such as `Europe/Berlin`: a day given on the command line ends at midnight there. */
  readonly timeZone: string;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  readonly stop: AbortSignal;
  /**
   * Reads and checks the settings, starts nothing. Throws `config_invalid` with every problem in one message.
   * `say` is for what the services have to tell people: it knows about --json and --quiet.
   */
  readonly open: (flags: SettingFlags, say: (line: string) => void) => Promise<Services>;
  /** About the settings themselves; works while they are broken. */
  readonly settings: SettingsPort;
};

export type Terminal = {
  /** Data: stdout. */
  readonly out: (text: string) => void;
  /** Words for people: stderr. */
  readonly say: (text: string) => void;
  /** All of stdin. */
  readonly readInput: () => Promise<string>;
  /** One line typed without echo; refuses when stdin is not a terminal. */
  readonly askSecret: (question: string) => Promise<string>;
  /** One line typed; null if the input ended instead (Ctrl-D). Given up when the signal is aborted. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string | null>;
  /** Width of stdout, or null when it is not a terminal: then nothing is shortened. */
  readonly columns: number | null;
  /** Stdin and stderr are a terminal, so a question would be answered. */
  readonly isInteractive: boolean;
  /** Stdout is a terminal and NO_COLOR is not set. */
  readonly hasColor: boolean;
  /** Stdout is a terminal on which lines can be written again in place. */
  readonly canRedraw: boolean;
};

export type Files = {
  /** Throws `not_found` if there is no such file. */
  readonly readText: (path: string) => Promise<string>;
  readonly exists: (path: string) => Promise<boolean>;
  /** With the folders above it; one that is there stays as it is. */
  readonly makeFolder: (path: string) => Promise<void>;
  /** False, and nothing written, if something with this name is there. */
  readonly writeNew: (path: string, text: string) => Promise<boolean>;
};

/** What was given on the command line; the strongest source of a setting. */
export type SettingFlags = {
  readonly configFile: string | null;
  /** By setting name, as in the config file: `{ port: "4181" }`. */
  readonly values: Readonly<Record<string, string>>;
};

export type ShownSetting = {
  readonly name: string;
  /** Secrets are masked; null is "not set". */
  readonly value: string | number | boolean | readonly string[] | null;
  readonly source: "flag" | "environment" | "file" | "default";
  /** "command line", the variable or the file it came from; null for a default. */
  readonly from: string | null;
};

export type SettingsPort = {
  readonly show: (flags: SettingFlags) => readonly ShownSetting[];
  /** JSON schema of the config file. */
  readonly jsonSchema: () => unknown;
  /** Where the config file is or would be. */
  readonly path: (flags: SettingFlags) => string;
};

/** What there is once the settings are known good. Nothing is opened or started before it is asked for. */
export type Services = {
  readonly connect: () => Promise<Connection>;
  /** Like `connect`, and someone works on runs for as long as the command lives: the server, else the command itself. */
  readonly connectWorking: () => Promise<Connection>;
  /** Where a server is that goes on when this command has ended; null if no server runs. */
  readonly findServer: () => Promise<string | null>;
  readonly server: ServerPort;
  readonly web: WebPort;
  /** About everything that is needed, about what must be true of every run, or whether a backup can be restored. */
  readonly doctor: (about: "installation" | "runs" | "backup", stop: AbortSignal) => Promise<readonly Finding[]>;
  readonly database: DatabasePort;
  readonly models: ModelsPort;
  readonly people: () => Promise<People>;
};

/** A server to talk to: a remote one, the one running on the data folder, or one that lives as long as the command. */
export type Connection = {
  readonly api: Api;
  readonly follow: Follow;
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** Each of these runs until the signal is aborted and then stops in good order before it resolves. */
type ServerPort = {
  readonly serve: (options: ServeOptions) => Promise<void>;
  readonly worker: (options: WorkerOptions) => Promise<void>;
  /** Server and web pages that reload when their sources change. */
  readonly dev: (options: ServeOptions) => Promise<void>;
};

export type ServeOptions = { readonly signal: AbortSignal; readonly onListening: (listening: Listening) => void };

export type WorkerOptions = {
  readonly signal: AbortSignal;
  readonly onReady: (ready: { readonly concurrency: number }) => void;
};

export type Listening = {
  /** Where people open it: `public_url` if there is one. */
  readonly url: string;
  readonly mode: "local" | "accounts";
  /** Signs the local owner in, once; null with accounts. */
  readonly login_link: string | null;
  /** Makes the first admin of an installation with accounts; null once there is one, and where the first sign-up makes it. */
  readonly setup_link: string | null;
  readonly data: string;
};

export type WebPort = {
  readonly isBuilt: () => boolean;
  /** What the pages are built with is installed. */
  readonly canBuild: () => boolean;
  /** Why the pages have to be built first, or null if they are up to date. */
  readonly whyStale: () => Promise<string | null>;
  readonly build: (signal: AbortSignal) => Promise<void>;
};

export type Finding = {
  /** Short and stable: `node`, `settings`, `data_folder`, `database`, `schema`, `web_pages`, `port`, … */
  readonly name: string;
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  /** What to do about it; null where nothing is wrong. */
  readonly fix: string | null;
};

/** The models as the settings, the keys and this machine give them. */
type ModelsPort = {
  readonly list: () => Promise<readonly RoleModels[]>;
  /** Agent programs that runs can be worked on by; `problem`: why they cannot be used. */
  readonly agents: () => Promise<{ readonly names: readonly string[]; readonly problem: string | null }>;
  /** One small real call of a role's first model, or of a model by its name; null: the planner's. */
  readonly test: (target: string | null, signal: AbortSignal) => Promise<ModelTest>;
};

export type RoleModels = {
  readonly role: string;
  /** The first is asked, the others if it fails. */
  readonly models: readonly ShownModel[];
  /** Why it has these. */
  readonly from: string;
};

export type ShownModel = {
  readonly id: string;
  /** Rules, no AI. */
  readonly demo: boolean;
  /** Dollars per million tokens; null: unpriced, its price is not known. */
  readonly price: { readonly input: number; readonly output: number; readonly cache_read: number } | "free" | null;
};

export type ModelTest = {
  readonly model: string;
  readonly demo: boolean;
  readonly latency_ms: number;
  readonly result:
    | {
        readonly ok: true;
        readonly answer: string;
        readonly input_tokens: number;
        readonly output_tokens: number;
        /** Null: unpriced, the cost is not known. */
        readonly cost_usd: number | null;
      }
    | { readonly ok: false; readonly fault: string; readonly why: string };
};

export type DatabaseStatus = {
  readonly kind: "embedded" | "postgres";
  /** Without the password. */
  readonly address: string;
  /** False: the embedded database is stopped. It is not started to find out more. */
  readonly running: boolean;
  readonly server_version: string | null;
  /** Null: not known (not running) or no schema yet. */
  readonly schema_version: number | null;
  /** The newest schema this program knows. */
  readonly schema_latest: number;
  readonly pending: readonly string[];
};

export type DatabasePort = {
  readonly status: () => Promise<DatabaseStatus>;
  readonly migrate: () => Promise<{ readonly applied: readonly string[]; readonly schema_version: number }>;
  /** Refuses to overwrite a file (`already_exists`) unless `overwrite`; until the new one is whole, the old one stays as it is. */
  readonly dump: (
    file: string,
    options: { readonly overwrite: boolean; readonly signal: AbortSignal },
  ) => Promise<DumpFile>;
  /** Refuses a database that holds anything (`already_exists`) unless `overwrite`. */
  readonly restore: (file: string, options: { readonly overwrite: boolean }) => Promise<DumpFile>;
  /** Stops an embedded database; false if it was not running. Your own PostgreSQL is left alone (`invalid_request`). */
  readonly stop: () => Promise<{ readonly stopped: boolean }>;
};

export type DumpFile = { readonly file: string; readonly bytes: number; readonly schema_version: number };

/** `is_served`: something answers at its address now. */
export type LoginLink = { readonly url: string; readonly expires_at: string; readonly is_served: boolean };

/** The people of this installation, straight from the database: works without a server and without signing in. */
export type People = {
  readonly list: () => Promise<readonly Person[]>;
  readonly create: (person: NewPerson) => Promise<Person>;
  /** A link that signs this person in, once. `userId` null: the local owner, who is created if missing. */
  readonly loginLink: (userId: string | null) => Promise<LoginLink>;
  /** Disabling ends the person's sessions and keys. */
  readonly setDisabled: (userId: string, disabled: boolean) => Promise<Person>;
  /** Ends the person's sessions. */
  readonly setPassword: (userId: string, password: string) => Promise<Person>;
  readonly close: () => Promise<void>;
};

type NewPerson = Pick<Person, "name" | "email" | "role"> & { readonly password: string };

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: "user" | "admin";
  readonly disabled: boolean;
  readonly created_at: string;
};
