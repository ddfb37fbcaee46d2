// Behind the page of models: what was found and why, one small call of a model, and changes, which go into the config file and
// into use at once. A key leaves here only towards its provider and the file.

import { type KeyProvider, keyProviders, modelRoles } from "../domain/run/run-models.ts";
import { AppError } from "../lib/app-error.ts";
import type { Logger } from "../lib/logger.ts";
import { findLocalServers } from "../llm/local-servers.ts";
import { demoRef, parseModelId } from "../llm/model-id.ts";
import { findModelProblem } from "../llm/model-problem.ts";
import type { ModelSettings, ModelSettingsPort, ProviderKey, SettingSource } from "../server/ports/model-settings.ts";
import type { LoadedConfig } from "./config.ts";
import type { SettingName } from "./config-schema.ts";
import { describeModel, describeRole } from "./describe-models.ts";
import type { ModelsSource } from "./models-source.ts";
import type { OpenModels } from "./open-models.ts";
import type { SettingChanges, SettingsFile } from "./settings-file.ts";

type SettingsInput = {
  readonly settings: SettingsFile;
  readonly source: ModelsSource;
  readonly logger: Logger;
  readonly fetchPage?: typeof fetch;
};

const keySetting = (provider: KeyProvider) => `${provider}_api_key` as const;

/** A model that thinks takes some seconds; a person does not watch a button for longer. */
const testWithinMs = 30_000;

export function openModelSettings({ settings, source, logger, fetchPage = fetch }: SettingsInput): ModelSettingsPort {
  let loaded = settings.loaded;

  /** What the settings as a whole would not allow is refused; everything else is a bug or a broken disk. */
  const change = async (changes: SettingChanges) => {
    try {
      loaded = settings.change(changes);
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === "config_invalid")
        return { kind: "refused", why: thrown.message } as const;
      throw thrown;
    }
    const isInUse = await source.reload(loaded.config).then(
      () => true,
      (error: unknown) => {
        logger.warn({ error }, "the changed models could not be opened");
        return false;
      },
    );
    return { kind: "changed", isInUse } as const;
  };

  return {
    read: () => readSettings(loaded, source, fetchPage),
    test: (name) => testModel(source, name),
    setModel: async (role, model) => {
      const locked = findLock(loaded, `model_${role}`);
      if (locked !== null) return refuse(`${locked} sets the model of this role. Change it there.`);
      const missing = model === null ? null : findModelProblem(model, (setting) => loaded.config[setting] !== null);
      if (missing !== null) return refuse(missing);
      const fallbacks = loaded.config[`model_${role}`]
        .slice(1)
        .filter((other) => other !== model && other !== demoRef.id);
      return change({ [`model_${role}`]: model === null ? null : [model, ...(model === demoRef.id ? [] : fallbacks)] });
    },
    setKey: async (provider, key) => {
      const locked = findLock(loaded, keySetting(provider));
      if (locked !== null) return refuse(`${locked} sets this key. Change it there.`);
      const needed = key === null ? findUser(loaded, provider) : null;
      if (needed !== null) return refuse(`${needed} uses a model of this provider. Choose another model there first.`);
      return change({ [keySetting(provider)]: key });
    },
  };
}

const refuse = (why: string) => ({ kind: "refused", why }) as const;

/** What is stronger than the config file and says something about this setting. */
function findLock({ origins }: LoadedConfig, name: SettingName): string | null {
  const { source, from } = origins[name];
  if (source === "flag") return "The command line";
  return source === "environment" ? `The environment variable ${from}` : null;
}

/** The first setting that names a model of this provider. */
function findUser({ config }: LoadedConfig, provider: string): string | null {
  const isOf = (id: string) => parseModelId(id)?.provider === provider;
  if (config.model.some(isOf)) return "The setting “model”";
  const role = modelRoles.find((each) => config[`model_${each}`].some(isOf));
  return role === undefined ? null : `The ${role}`;
}

async function readSettings(
  loaded: LoadedConfig,
  source: ModelsSource,
  fetchPage: typeof fetch,
): Promise<ModelSettings> {
  const { config, origins, file } = loaded;
  const about = { file, keys: readKeys(loaded) };
  const models = await source.open().catch((thrown: unknown) => AppError.from(thrown).message);
  if (typeof models === "string") return { ...about, isDemo: false, models: [], roles: [], problem: models };
  // Where keys are set, nothing on this machine was looked for; here it is something to choose.
  const local = config.find_local_models ? await findLocalServers(fetchPage) : [];
  const found = local.flatMap(({ provider, models: has }) => has.map((name) => `${provider.name}/${name}`));
  const isNamed = config.model.length > 0 || config.model_planner.length > 0;
  // A server that was started since takes the place of the demo model.
  if (isDemo(models) && !isNamed && found.length > 0) await source.reload(config);
  const ids = [...new Set([...models.choices, ...found])];
  return {
    ...about,
    problem: null,
    isDemo: isDemo(models),
    models: ids.flatMap((id) => describeModel(id, models.priceOf, origins) ?? []),
    roles: models.describe().map((role) => describeRole(role, loaded)),
  };
}

const isDemo = (models: OpenModels): boolean => models.chainOf("planner")[0].isDemo;

/** Fewer characters than this, and four of them would be too much of it. */
const shortestShown = 16;

function readKeys({ config, origins }: LoadedConfig): readonly ProviderKey[] {
  return keyProviders.map((provider) => {
    const name = keySetting(provider);
    const key = config[name];
    const { source, from } = origins[name];
    if (key === null || source === "default") return { provider, source: null, from: null, end: null };
    return { provider, source: sourceOf(source), from, end: key.length < shortestShown ? null : key.slice(-4) };
  });
}

const sourceOf = (source: "flag" | "environment" | "file"): SettingSource =>
  source === "flag" ? "command_line" : source;

async function testModel(source: ModelsSource, name: string) {
  const models = await source.open();
  const model = parseModelId(name);
  if (model === null || (!model.isDemo && !models.providers.has(model.provider))) return null;
  const { tryModel, toTested } = await import("./try-model.ts");
  const signal = AbortSignal.timeout(testWithinMs);
  const tried = await tryModel(models, { role: "planner", model }, signal);
  return toTested(models, model, tried, signal.aborted);
}
