// `homework channel …`: webhooks and linked Telegram chats that tell you of your runs.

import type { Command } from "commander";
import { AppError } from "../../lib/app-error.ts";
import { type Channel, type ChannelDelivery, routes } from "../../protocol/api.ts";
import type { Api } from "../../protocol/client.ts";
import { type ChannelEvent, channelEvents } from "../../protocol/kinds.ts";
import { Ended } from "../exit-code.ts";
import { pick } from "../find.ts";
import { type ApiInvocation, apiAction } from "../invocation.ts";
import { addFamily, examples, listOf } from "../options.ts";
import { oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";

export function addChannelCommands(program: Command, host: Host): void {
  const family = addFamily(program, "channel", "webhooks and Telegram chats that tell you of your runs");
  addList(family, host);
  addWebhook(family, host);
  addLinkTelegram(family, host);
  addTest(family, host);
  addRemove(family, host);
}

function addList(family: Command, host: Host): void {
  const list = family
    .command("list")
    .description("list your channels")
    .action(
      apiAction<[object]>(host, async ({ api, output }) => {
        const answer = await api(routes.channels.list, {});
        const { channels } = answer;
        output.data(answer, () => (channels.length === 0 ? "" : output.table(channels, columns)));
        if (channels.length === 0)
          output.say(
            "No channels yet; add one with: homework channel add-webhook NAME URL, or: homework channel link-telegram",
          );
      }),
    );
  examples(list, ["channel list", "channel list --json"]);
}

const columns = [
  { title: "ID", value: ({ id }: Channel) => id },
  { title: "KIND", value: ({ kind }: Channel) => kind },
  { title: "STATE", value: (channel: Channel) => (channel.is_on ? "on" : "off") },
  { title: "EVENTS", value: ({ events }: Channel) => events.join(",") },
  { title: "NAME", value: ({ name, url }: Channel) => (url === null ? name : `${name} ${url}`), flexible: true },
] as const;

function addWebhook(family: Command, host: Host): void {
  type Options = { readonly events?: ChannelEvent[] };
  const add = family
    .command("add-webhook <name> <url>")
    .description("send signed requests to an address; the secret is shown this once")
    .option("-e, --events <events>", `when: ${channelEvents.join(", ")}, separated by commas`, listOf(channelEvents))
    .action(
      apiAction<[string, string, Options]>(host, async ({ api, output }, name, url, { events }) => {
        const added = await api(routes.channels.addWebhook, { body: { name, url, events } });
        output.warn("Keep this secret. It is not shown again.");
        output.data(added, () => `${added.secret}\n`);
      }),
    );
  examples(add, [
    "channel add-webhook backend https://example.com/hooks/homework",
    "channel add-webhook backend https://example.com/hooks/homework --events completed,failed --json",
  ]);
}

function addLinkTelegram(family: Command, host: Host): void {
  const link = family
    .command("link-telegram")
    .description("make a code that links a Telegram chat; send it to the bot within a quarter of an hour")
    .action(
      apiAction<[object]>(host, async ({ api, output }) => {
        const made = await api(routes.channels.linkTelegram, {});
        const { code, url, username } = made;
        output.say(
          url === null ? "Send this to the bot:" : `Open this link, or send the bot @${username}: /start ${code}`,
        );
        output.data(made, () => `${url ?? `/start ${code}`}\n`);
      }),
    );
  examples(link, ["channel link-telegram"]);
}

/** As long as a receiver may take, and a little more. */
const testLimitMs = 40_000;
const lookEveryMs = 300;

function addTest(family: Command, host: Host): void {
  const test = family
    .command("test <channel>")
    .description("send a test through a channel, named by id, start of the id, or name, and say what came of it")
    .action(
      apiAction<[string, object]>(
        host,
        async (given, ref) => {
          const channel = await findChannel(given.api, ref);
          const delivery = await sendTest(given, channel.id);
          given.output.data(delivery, () => `${describe(delivery)}\n`);
          if (delivery.state !== "delivered") throw new Ended("failed");
        },
        (services) => services.connectWorking(),
      ),
    );
  examples(test, ["channel test backend"]);
}

/** Until it was delivered, or the first try has failed. */
async function sendTest({ api, host }: ApiInvocation, channelId: string): Promise<ChannelDelivery> {
  const sent = await api(routes.channels.test, { params: { channelId } });
  const until = host.env.now() + testLimitMs;
  for (;;) {
    const { items } = await api(routes.channels.deliveries, { params: { channelId }, query: {} });
    const now = items.find(({ id }) => id === sent.id) ?? sent;
    if (now.state !== "pending" || now.last_error !== null) return now;
    if (host.env.now() >= until)
      throw new AppError("database_unavailable", "The test is queued, but no server or worker has sent it yet");
    await host.env.sleep(lookEveryMs, host.stop);
  }
}

function describe({ state, last_error, last_status }: ChannelDelivery): string {
  if (state === "delivered") return last_status === null ? "Delivered" : `Delivered (HTTP ${last_status})`;
  return `Failed: ${oneLine(last_error ?? state)}`;
}

function addRemove(family: Command, host: Host): void {
  const remove = family
    .command("remove <channel>")
    .description("remove a channel, named by id, start of the id, or name")
    .action(
      apiAction<[string, object]>(host, async ({ api, output }, ref) => {
        const channel = await findChannel(api, ref);
        await api(routes.channels.remove, { params: { channelId: channel.id } });
        output.say(`Removed ${oneLine(channel.name)}.`);
        output.data({ id: channel.id, name: channel.name, removed: true }, () => `${channel.id}\n`);
      }),
    );
  examples(remove, ["channel remove backend"]);
}

async function findChannel(api: Api, ref: string): Promise<Channel> {
  const { channels } = await api(routes.channels.list, {});
  return pick("channel", ref, channels, ({ id, name }) => ({ id, label: name, names: [name] }));
}
