// Looks for model servers on this machine, on the ports they usually have. Another program may be there: only what answers
// like one counts, and the wait is short.

import { z } from "zod";
import { type ProviderName, providerNames, providerSpecs } from "./model-id.ts";
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
