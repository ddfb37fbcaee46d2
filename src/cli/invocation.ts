// Runs the body of a command with what it needs: its output, the services behind the settings, or a server to talk to.

import type { Command } from "commander";
import type { Api } from "../protocol/client.ts";
import type { Follow } from "../protocol/follow.ts";
import type { AnyRoute } from "../protocol/route.ts";
import { createOutput, type Output } from "./output.ts";
import type { Connection, Host, Services, SettingFlags } from "./ports.ts";

/** Options that every command takes. */
type GlobalOptions = {
  readonly json?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly color: boolean;
  readonly data?: string;
  readonly config?: string;
  readonly set?: Readonly<Record<string, string>>;
};

export type Invocation = {
  readonly host: Host;
  readonly output: Output;
  readonly flags: SettingFlags;
};

export type ServiceInvocation = Invocation & { readonly services: Services };
export type ApiInvocation = ServiceInvocation & { readonly api: Api; readonly follow: Follow; readonly url: string };

type Body<Given extends Invocation, Args extends readonly unknown[]> = (given: Given, ...args: Args) => Promise<void>;
/** What commander calls: the arguments, the options, the command itself. */
type Action<Args extends readonly unknown[]> = (...args: [...Args, Command]) => Promise<void>;

/** `settings`: options of this command that are settings, by name. */
export type SettingsOf<Args extends readonly unknown[]> = (
  ...args: Args
) => Readonly<Record<string, string | undefined>>;

export function action<Args extends readonly unknown[]>(host: Host, body: Body<Invocation, Args>): Action<Args> {
  return async (...args) => {
    const { command, own } = split<Args>(args);
    await body(invocation(host, command, {}), ...own);
  };
}

export function serviceAction<Args extends readonly unknown[]>(
  host: Host,
  body: Body<ServiceInvocation, Args>,
  settings?: SettingsOf<Args>,
): Action<Args> {
  return async (...args) => {
    const { command, own } = split<Args>(args);
    const given = invocation(host, command, settings?.(...own) ?? {});
    await body({ ...given, services: await host.open(given.flags, given.output.say) }, ...own);
  };
}

/** `connect`: which server; unless it says otherwise, the one that is there or one that only answers. */
export function apiAction<Args extends readonly unknown[]>(
  host: Host,
  body: Body<ApiInvocation, Args>,
  connect?: (services: Services, ...args: Args) => Promise<Connection>,
): Action<Args> {
  return serviceAction<Args>(host, async (given, ...args) => {
    const connection = connect ? await connect(given.services, ...args) : await given.services.connect();
    await useConnection(given, connection, (connected) => body(connected, ...args));
  });
}

/** Closes the connection in the end. */
export async function useConnection(
  given: ServiceInvocation,
  connection: Connection,
  body: (given: ApiInvocation) => Promise<void>,
): Promise<void> {
  try {
    const { follow, url } = connection;
    await body({ ...given, api: attentive(given.host, connection.api), follow, url });
  } finally {
    await connection.close();
  }
}

/** It was given up because the user asked for it, and did not fail on the way out. */
export function isGivenUp(host: Pick<Host, "stop">, thrown: unknown): boolean {
  return (
    host.stop.aborted && (thrown === host.stop.reason || (thrown instanceof Error && thrown.name === "AbortError"))
  );
}

/** Gives up when the user does, and creates once even if the answer got lost on the way. */
function attentive(host: Host, api: Api): Api {
  return (route: AnyRoute, input, options) =>
    api(route, input, {
      signal: host.stop,
      ...(route.creates ? { idempotencyKey: host.env.newId() } : {}),
      ...options,
    });
}

function split<Args extends readonly unknown[]>(args: readonly [...Args, Command]): { command: Command; own: Args } {
  return { command: args.at(-1) as Command, own: args.slice(0, -1) as unknown as Args };
}

function invocation(host: Host, command: Command, own: Readonly<Record<string, string | undefined>>): Invocation {
  const options = command.optsWithGlobals<GlobalOptions>();
  const values: Record<string, string> = { ...options.set };
  for (const [name, value] of Object.entries({ data: options.data, ...own })) {
    if (value !== undefined) values[name] = value;
  }
  return {
    host,
    output: createOutput(host, {
      json: options.json === true,
      quiet: options.quiet === true,
      verbose: options.verbose === true,
      color: options.color,
    }),
    flags: { configFile: options.config ?? null, values },
  };
}
