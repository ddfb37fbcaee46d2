// One conversation with an agent that speaks the Agent Client Protocol: a session, the prompt, whatever people say meanwhile as further
// prompts, and its end. What is heard is told as JSON lines. Nothing here starts or ends a process.

import { type ClientContext, client, methods, RequestError } from "@agentclientprotocol/sdk";
import { readJson } from "../../lib/json.ts";
import { at, type Fields, listAt, statusAt, textAt } from "../backends/read-event.ts";
import { quote } from "../layout/ids.ts";
import type { AcpLimits, AcpOrder, AcpPorts } from "./acp-ports.ts";
import { openPermissions } from "./permissions.ts";
import { openUpdateTeller } from "./tell-update.ts";
import { readUsage } from "./turn-usage.ts";
import { openWire } from "./wire.ts";
import type { WorkFiles } from "./work-files.ts";

export const acpLimits: AcpLimits = { startMs: 120_000, cancelMs: 4_000, permissionsMax: 1_000, turnsMax: 100 };
const protocolVersion = 1;
const exitWaitMs = 1_000;

type Talk = { readonly order: AcpOrder; readonly ports: AcpPorts; readonly agent: ClientContext };

/** True: the agent came to its end by itself. */
export async function converse(order: AcpOrder, ports: AcpPorts): Promise<boolean> {
  const tooMany = new AbortController();
  const isCut = AbortSignal.any([ports.asked, tooMany.signal]);
  const permissions = openPermissions(order, ports, isCut, () => tooMany.abort());
  const updates = openUpdateTeller(order.session !== null, ports.tell);
  const connection = client({ name: "run-agent" })
    .onRequest(methods.client.session.requestPermission, asIs, ({ params }) => permissions.answer(params))
    .onRequest(methods.client.fs.readTextFile, asIs, ({ params }) => readFile(ports.files, params))
    .onRequest(methods.client.fs.writeTextFile, asIs, ({ params }) => writeFile(ports.files, params))
    .connect(openWire(ports.output, ports.input, { update: updates.hear, noise: ports.noise }));
  try {
    const talk: Talk = { order, ports, agent: connection.agent };
    const session = await openSession(talk);
    updates.begin();
    return await takeTurns(talk, session, isCut, permissions.takeRest);
  } catch (error) {
    const isClosed = connection.signal.aborted && !isCut.aborted && !(error instanceof RequestError);
    const why = tooMany.signal.aborted
      ? `The agent asked for permission more than ${ports.limits.permissionsMax} times.`
      : isClosed
        ? await describeClose(ports)
        : describeError(error);
    return tellEnd(ports, why, findStatus(error));
  } finally {
    connection.close();
  }
}

/** A program that ends tells how right after its output has ended; one that lives on does not. */
async function describeClose({ exit, sleep }: AcpPorts): Promise<string> {
  const over = new AbortController();
  const end = await Promise.race([
    exit,
    sleep(exitWaitMs, over.signal).then(
      () => null,
      () => null,
    ),
  ]);
  over.abort();
  return end === null
    ? "The agent closed its output in the middle of its work."
    : `The agent ended in the middle of its work: ${end}.`;
}

const asIs = (params: unknown): unknown => params;

async function takeTurns(
  talk: Talk,
  session: string,
  isCut: AbortSignal,
  takeRest: () => readonly string[],
): Promise<boolean> {
  const { ports, order } = talk;
  let prompt = order.prompt;
  for (let turn = 1; ; turn++) {
    const answer = await takeTurn(talk, session, prompt, isCut);
    const usage = readUsage(answer);
    if (usage !== null) ports.tell({ type: "usage", ...usage });
    const reason = textAt(answer, "stopReason");
    isCut.throwIfAborted();
    if (reason !== "end_turn") return tellEnd(ports, describeStop(reason), null);
    const said = [...takeRest(), ...ports.takeMessages()];
    if (said.length === 0 || turn >= ports.limits.turnsMax) {
      ports.tell({ type: "end", isError: false, why: "" });
      return true;
    }
    prompt = said.join("\n\n");
    ports.tell({ type: "message", text: prompt });
  }
}

/** A turn that is cut off is canceled by the protocol, which also ends the agent's tools; the answer to it is waited for. */
async function takeTurn({ agent, ports }: Talk, sessionId: string, text: string, isCut: AbortSignal): Promise<unknown> {
  isCut.throwIfAborted();
  const turn = agent.request<unknown>(methods.agent.session.prompt as string, {
    sessionId,
    prompt: [{ type: "text", text }],
  });
  const over = new AbortController();
  const cut = new Promise<never>((_, failed) => {
    const cancel = () => {
      void agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
      ports.sleep(ports.limits.cancelMs, over.signal).then(
        () => failed(new Error("The agent was canceled and did not answer.")),
        () => {},
      );
    };
    isCut.addEventListener("abort", cancel, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([turn, cut]);
  } finally {
    over.abort();
  }
}

async function openSession(talk: Talk): Promise<string> {
  const { order, ports } = talk;
  const started = await request(talk, methods.agent.initialize, {
    protocolVersion,
    // Its own tools reach the files as well; asking us would only be slower.
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "run-agent", version: "1" },
  });
  const version = at(started, "protocolVersion");
  if (version !== protocolVersion)
    throw new Error(
      `The agent speaks version ${JSON.stringify(version)} of the protocol; version ${protocolVersion} is needed.`,
    );
  const { id, offered } =
    order.session === null ? await begin(talk, started) : await goOn(talk, started, order.session);
  ports.tell({ type: "session", id, isResumed: order.session !== null, agent: textAt(started, "agentInfo", "name") });
  if (order.model !== null) await chooseModel(talk, id, offered, order.model);
  if (order.mode !== null) await chooseMode(talk, id, offered, order.mode);
  return id;
}

type Opened = { readonly id: string; readonly offered: unknown };

async function begin(talk: Talk, started: unknown): Promise<Opened> {
  const { workFolder: cwd } = talk.order;
  try {
    const offered = await request(talk, methods.agent.session.new, { cwd, mcpServers: [] });
    const id = textAt(offered, "sessionId");
    if (id === "") throw new Error("The agent opened a session without an id.");
    return { id, offered };
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== authRequired) throw error;
    const ways = listAt(started, "authMethods").map((each) => textAt(each, "name") || textAt(each, "id"));
    throw new RequestError(
      error.code,
      `Authentication required. The agent offers: ${ways.join(", ") || "nothing"}.`,
      error.data,
    );
  }
}

async function goOn(talk: Talk, started: unknown, id: string): Promise<Opened> {
  const capabilities = at(started, "agentCapabilities");
  const params = { sessionId: id, cwd: talk.order.workFolder, mcpServers: [] };
  if (at(capabilities, "sessionCapabilities", "resume") !== undefined)
    return { id, offered: await request(talk, methods.agent.session.resume, params) };
  if (at(capabilities, "loadSession") === true)
    return { id, offered: await request(talk, methods.agent.session.load, params) };
  throw new Error("The agent cannot go on with an earlier session.");
}

/** Newer agents offer their models among the options of a session, others in a list of their own. */
async function chooseModel(talk: Talk, sessionId: string, offered: unknown, model: string): Promise<void> {
  const option = listAt(offered, "configOptions").find(
    (each) => textAt(each, "category") === "model" || textAt(each, "id") === "model",
  );
  const values = listAt(option, "options")
    .flatMap((each) => [each, ...listAt(each, "options")])
    .map((each) => textAt(each, "value"));
  const listed = listAt(offered, "models", "availableModels").map((each) => textAt(each, "modelId"));
  if (values.includes(model))
    await request(talk, methods.agent.session.setConfigOption, {
      sessionId,
      configId: textAt(option, "id"),
      value: model,
    });
  else if (listed.includes(model)) await request(talk, "session/set_model", { sessionId, modelId: model });
  else throw new Error(refuse("model", model, [...values, ...listed]));
}

async function chooseMode(talk: Talk, sessionId: string, offered: unknown, modeId: string): Promise<void> {
  const modes = listAt(offered, "modes", "availableModes").map((each) => textAt(each, "id"));
  if (!modes.includes(modeId)) throw new Error(refuse("mode", modeId, modes));
  await request(talk, methods.agent.session.setMode, { sessionId, modeId });
}

function refuse(what: string, wanted: string, offered: readonly string[]): string {
  const known = [...new Set(offered.filter((each) => each !== ""))].slice(0, 30);
  return `The agent does not offer the ${what} ${quote(wanted)} (no such ${what}). It offers ${known.join(", ") || "none"}.`;
}

/** Before the prompt nothing takes long: an agent that does not answer is no agent of this protocol. */
async function request({ agent, ports }: Talk, method: string, params: unknown): Promise<unknown> {
  ports.asked.throwIfAborted();
  const over = new AbortController();
  const { startMs } = ports.limits;
  const late = ports.sleep(startMs, AbortSignal.any([over.signal, ports.asked])).then(
    () =>
      new Error(
        `The agent did not answer ${method} within ${startMs / 1_000} s. Does it speak the Agent Client Protocol?`,
      ),
    () => new Error("The run was stopped before the agent began."),
  );
  try {
    const first = await Promise.race([agent.request<unknown>(method, params).then((value) => ({ value })), late]);
    if (first instanceof Error) throw first;
    return first.value;
  } finally {
    over.abort();
  }
}

function readFile(files: WorkFiles, params: unknown): Fields {
  const count = (key: string) => {
    const value = at(params, key);
    return typeof value === "number" && Number.isInteger(value) ? value : null;
  };
  return { content: files.read(textAt(params, "path"), count("line"), count("limit")) };
}

function writeFile(files: WorkFiles, params: unknown): Fields {
  files.write(textAt(params, "path"), textAt(params, "content"));
  return {};
}

const stops: Readonly<Record<string, string>> = {
  max_tokens: "The model's answer was cut off: it reached its limit of tokens.",
  max_turn_requests: "The agent stopped: it reached its limit of requests in one turn.",
  refusal: "The model refused to go on.",
  cancelled: "The turn was canceled.",
};
const describeStop = (reason: string): string => stops[reason] ?? `The agent stopped with ${quote(reason)}.`;

function tellEnd(ports: AcpPorts, why: string, status: number | null): false {
  ports.tell({ type: "end", isError: true, why, status });
  return false;
}

const authRequired = -32000;

/** The message of a request that failed, and what its data tell: that is where agents put the provider's words. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof RequestError)) return error.message;
  // Some put the provider's whole answer there.
  const message = textAt(readJson(error.message), "error", "message") || error.message;
  const told = [message, ...tellData(error.data)].filter((each) => each !== "");
  return [...new Set(told)].join(": ");
}

function tellData(data: unknown): readonly string[] {
  if (typeof data === "string") return [data.slice(0, dataMax)];
  const known = ["message", "details", "error", "errorMessage"].map(
    (key) => textAt(data, key) || textAt(data, key, "message"),
  );
  const words = known.filter((each) => each !== "").map((each) => each.slice(0, dataMax));
  return words.length > 0 || data === undefined || data === null ? words : [JSON.stringify(data).slice(0, dataMax)];
}

const dataMax = 2_000;

/** Codes of the protocol are negative; some agents put the HTTP status there, or into the data, or only into words. */
function findStatus(error: unknown): number | null {
  if (!(error instanceof RequestError)) return null;
  if (error.code === authRequired) return 401;
  const told = [{ code: error.code }, error.data, at(error.data, "error"), at(error.data, "data")].flatMap((each) =>
    ["code", "status", "statusCode", "httpStatus"].flatMap((key) => statusAt(each, key) ?? []),
  );
  const words = /\b(?:status(?: code)?|HTTP|API Error)[ :]{1,2}([45]\d\d)\b/i.exec(describeError(error))?.[1];
  return told[0] ?? (words === undefined ? null : Number(words));
}
