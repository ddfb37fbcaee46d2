// The models of this installation as its settings page shows and changes them. A key goes in and never comes out: at most its
// last characters do.

import type { KeyProvider, ModelRole } from "../../domain/run/run-models.ts";
import type { TestUsage } from "../../store/journal/test-call-store.ts";

/** Where a setting was found. */
export type SettingSource = "environment" | "file" | "command_line";

export type FoundModel = {
  /** `provider/model`. */
  readonly id: string;
  /** What makes it usable: a key and where it is set, a server, or nothing but our own rules. */
  readonly source: SettingSource | "server" | "demo";
  /** The same in a few words. */
  readonly why: string;
  /** Dollars per million tokens; null: not known. */
  readonly price: { readonly input: number; readonly output: number } | "free" | null;
};

export type RoleSetting = {
  readonly role: ModelRole;
  /** The first is asked, the others if it fails. */
  readonly models: readonly string[];
  /** Why it has these, in a few words. */
  readonly why: string;
  /** The settings name them for this role. */
  readonly isSet: boolean;
  /** What decides instead of the config file: a variable, or the command line. */
  readonly lockedBy: string | null;
};

export type ProviderKey = {
  readonly provider: KeyProvider;
  /** Null: there is no key. */
  readonly source: SettingSource | null;
  /** The variable or the file that it is in. */
  readonly from: string | null;
  /** Its last characters; null where it is too short to show any. */
  readonly end: string | null;
};

export type ModelSettings = {
  /** No model was found: rules play one. */
  readonly isDemo: boolean;
  readonly models: readonly FoundModel[];
  readonly roles: readonly RoleSetting[];
  readonly keys: readonly ProviderKey[];
  /** The config file that changes are written to. */
  readonly file: string;
  /** Why the models could not be opened; it may name addresses inside. */
  readonly problem: string | null;
};

export type TestedModel = {
  readonly model: string;
  readonly latencyMs: number;
  /** Null: it works. */
  readonly fault: { readonly kind: string; readonly why: string } | null;
  /** Null: nothing was sent. */
  readonly usage: TestUsage | null;
};

export type SettingsChange =
  /** `isInUse` false: it was written, and this process cannot use it before it is started again. */
  { readonly kind: "changed"; readonly isInUse: boolean } | { readonly kind: "refused"; readonly why: string };

export type ModelSettingsPort = {
  readonly read: () => Promise<ModelSettings>;
  /** One small real call. Null: no provider here has such a model. */
  readonly test: (model: string) => Promise<TestedModel | null>;
  /** Null: the role has no model of its own any more. */
  readonly setModel: (role: ModelRole, model: string | null) => Promise<SettingsChange>;
  readonly setKey: (provider: KeyProvider, key: string | null) => Promise<SettingsChange>;
};
