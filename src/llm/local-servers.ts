// Looks for model servers on this machine, on the ports they usually have. Another program may be there: only what answers
// like one counts, and the wait is short.

import { z } from "zod";
import type { ModelRef } from "./model.ts";
import { isProviderName, nameAtProvider, type ProviderName, providerNames, providerSpecs } from "./model-id.ts";
import type { Provider } from "./providers.ts";

export type FoundServer = { readonly provider: Provider; readonly models: readonly string[] };

/** On the same machine an answer takes a few milliseconds; a program that is busy starting may be found next time. */
const timeoutMs = 500;
/** More than anyone chooses from. */
const modelsMax = 200;

const modelList = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })) });

/** They turn text into numbers or sounds; they cannot answer. */
const cannotAnswer = /embed|rerank|whisper|tts|bge-|minilm/i;

export async function findLocalServers(fetchPage: typeof fetch): Promise<readonly FoundServer[]> {
  const local = providerNames.filter((name) => providerSpecs[name].isLocal);
  const found = await Promise.all(local.map((name) => lookFor(name, fetchPage)));
  return found.filter((server) => server !== null);
}

/** The models of a server that speaks the OpenAI protocol; null if none is there. */
export async function listModels(
  { baseUrl, apiKey }: Pick<Provider, "baseUrl" | "apiKey">,
  fetchPage: typeof fetch,
  waitMs: number = timeoutMs,
): Promise<readonly string[] | null> {
  try {
    const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
    const signal = AbortSignal.timeout(waitMs);
    const response = await fetchPage(`${baseUrl}/models`, { headers, redirect: "error", signal });
    const { data } = modelList.safeParse(response.ok ? await response.json() : await response.body?.cancel());
    return (
      data?.data
        .map(({ id }) => id)
        .filter((id) => !cannotAnswer.test(id))
        .slice(0, modelsMax) ?? null
    );
  } catch {
    // Not there, too slow, or something else: all the same to us.
    return null;
  }
}

async function lookFor(name: ProviderName, fetchPage: typeof fetch): Promise<FoundServer | null> {
  const { baseUrl } = providerSpecs[name];
  if (baseUrl === null) return null;
  const models = await listModels({ baseUrl, apiKey: null }, fetchPage);
  return models === null || models.length === 0 ? null : { provider: { name, baseUrl, apiKey: null }, models };
}

/** How people call these servers. */
export const serverNames: Readonly<Record<string, string>> = { ollama: "Ollama", lmstudio: "LM Studio", vllm: "vLLM" };

/** Why a model of this machine cannot be asked now, and what to do; null: it can, or it is not of this machine. */
export async function findLocalProblem(model: ModelRef | null, fetchPage: typeof fetch): Promise<string | null> {
  if (model === null || !isProviderName(model.provider)) return null;
  const { isLocal, baseUrl } = providerSpecs[model.provider];
  if (!isLocal || baseUrl === null) return null;
  const has = await listModels({ baseUrl, apiKey: null }, fetchPage);
  const server = serverNames[model.provider] ?? model.provider;
  if (has === null) return `${model.id}: ${server} does not answer at ${baseUrl}. Start it, or choose another model.`;
  const name = nameAtProvider(model);
  // Ollama takes the name without its tag for the latest one. A list that was cut says nothing of the others.
  if (has.length === modelsMax || has.some((each) => each === name || each === `${name}:latest`)) return null;
  const shown = has.slice(0, shownMax).join(", ");
  return `${model.id}: ${server} has no such model. ${has.length === 0 ? "It has none" : `It has ${shown}`}.`;
}

const shownMax = 10;
