// Services for one command that answer with little and write down what was asked of them.

import type { Connection, Services } from "../../src/cli/ports.ts";
import { sampleId } from "./sample-of.ts";

const person = {
  id: sampleId,
  name: "Anna",
  email: "anna@homework.test",
  role: "user",
  disabled: false,
  created_at: "2030-03-01T00:00:00Z",
};
const dumped = { file: "dump.jsonl", bytes: 1, schema_version: 1 };
const link = { url: "https://homework.test/once", expires_at: "2030-03-18T00:00:00Z", is_served: true };

type Answers = Readonly<Record<string, unknown>>;

export function recordingServices(happened: unknown[], connect: () => Promise<Connection>): Services {
  const port = (name: string, answers: Answers) =>
    new Proxy(answers, {
      get: (_, method) =>
        method === "then"
          ? undefined
          : async (...given: readonly unknown[]) => {
              happened.push([name, String(method), given.map(withoutSignal)]);
              return answers[String(method)];
            },
    });
  return {
    connect: async () => {
      happened.push(["connect"]);
      return connect();
    },
    connectWorking: connect,
    findServer: async () => "http://server.test",
    server: port("server", {}),
    web: { isBuilt: () => true, canBuild: () => true, whyStale: async () => null, build: async () => {} },
    doctor: async (about: unknown) => {
      happened.push(["doctor", about]);
      return [];
    },
    database: port("database", { dump: dumped, restore: dumped }),
    models: port("models", {
      list: [],
      agents: { names: [], problem: null },
      test: { model: "demo/rules", demo: true, latency_ms: 1, result: { ok: false, fault: "auth", why: "no" } },
    }),
    people: async () =>
      port("people", { list: [person], create: person, setPassword: person, setDisabled: person, loginLink: link }),
  } as unknown as Services;
}

/** A signal is no part of what was asked. */
const withoutSignal = (given: unknown): unknown =>
  typeof given === "object" && given !== null && "signal" in given ? { ...given, signal: undefined } : given;
