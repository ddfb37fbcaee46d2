// `homework key …`: one's own API keys.

import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import { routes } from "../../protocol/api.ts";
import { type Scope, scopes } from "../../protocol/kinds.ts";
import type { RouteResult } from "../../protocol/route.ts";
import { pick } from "../find.ts";
import { apiAction } from "../invocation.ts";
import { addFamily, examples, listOf, wholeNumber } from "../options.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";

type Key = RouteResult<typeof routes.identity.listKeys>["items"][number];

export function addKeyCommands(program: Command, host: Host): void {
  const family = addFamily(program, "key", "your API keys");
  addList(family, host);
  addCreate(family, host);
  addRevoke(family, host);
}

function addList(family: Command, host: Host): void {
  const list = family
    .command("list")
    .description("list your API keys, without their secrets")
    .action(
      apiAction<[object]>(host, async ({ api, output }) => {
        const answer = await api(routes.identity.listKeys, {});
        output.data(answer, () => (answer.items.length === 0 ? "" : output.table(answer.items, keyColumns(output))));
        if (answer.items.length === 0) output.say("No keys yet. Create one with: homework key create NAME");
      }),
    );
  examples(list, ["key list"]);
}

function addCreate(family: Command, host: Host): void {
  type Options = { readonly scope: Scope[]; readonly expires: number | null };
  const create = family
    .command("create <name>")
    .description("create an API key; the key is shown once")
    .option("-s, --scope <scopes>", `what it may do: ${scopes.join(", ")}, separated by commas`, listOf(scopes), [
      "read",
    ])
    .option("--expires <days>", `days until it stops working, or "never"`, daysOrNever, 90)
    .action(
      apiAction<[string, Options]>(host, async ({ api, output }, name, { scope, expires }) => {
        const body = { name, scopes: scope, expires_in_days: expires };
        const key = await api(routes.identity.createKey, { body });
        output.warn("Keep this key. It is not shown again.");
        output.data(key, () => `${key.key}\n`);
      }),
    );
  examples(create, ["key create laptop --scope read,run", "key create backup --expires never --json"]);
}

function addRevoke(family: Command, host: Host): void {
  const revoke = family
    .command("revoke <key>")
    .description("revoke an API key, named by id, start of the id, or name")
    .action(
      apiAction<[string, object]>(host, async ({ api, output }, ref) => {
        const { items } = await api(routes.identity.listKeys, {});
        const key = pick("key", ref, items, ({ id, name }) => ({ id, label: name, names: [name] }));
        await api(routes.identity.revokeKey, { params: { keyId: key.id } });
        output.say(`Revoked ${oneLine(key.name)}; it stopped working.`);
        output.data({ id: key.id, name: key.name, revoked: true }, () => `${key.id}\n`);
      }),
    );
  examples(revoke, ["key revoke laptop"]);
}

function daysOrNever(text: string): number | null {
  if (text === "never") return null;
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError(`Give a number of days, or "never".`);
  return wholeNumber(1, 3650)(text);
}

function keyColumns(output: Output) {
  return [
    { title: "ID", value: ({ id }: Key) => id },
    { title: "STARTS", value: ({ start }: Key) => start },
    { title: "SCOPES", value: ({ scopes: has }: Key) => has.join(",") },
    { title: "EXPIRES", value: ({ expires_at }: Key) => (expires_at === null ? "never" : output.ago(expires_at)) },
    { title: "USED", value: ({ last_used_at }: Key) => (last_used_at === null ? "never" : output.ago(last_used_at)) },
    { title: "NAME", value: ({ name }: Key) => name, flexible: true },
  ] as const;
}
