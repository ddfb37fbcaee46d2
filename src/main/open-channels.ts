// Channels, put together from the settings: what webhooks may reach, and the Telegram bot of this installation.

import net from "node:net";
import { AppError } from "../lib/app-error.ts";
import type { ChannelsPort } from "../notify/channels-port.ts";
import type { Senders } from "../notify/send.ts";
import { type BotApi, openBotApi } from "../notify/telegram/bot-api.ts";
import { telegramSender } from "../notify/telegram/send-telegram.ts";
import { webhookSender } from "../notify/webhook/send-webhook.ts";
import { type Dial, systemDial } from "../tools/web/dial.ts";
import { postLimits, postPinned } from "../tools/web/post-pinned.ts";
import { isPublicAddress } from "../tools/web/public-address.ts";
import { type Config, isBotToken } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import { readSettingFile } from "./read-setting-file.ts";

export type OpenChannels = ChannelsPort & { readonly bot: BotApi | null; readonly senders: Senders };

/** `origin`: where people reach this installation, for links. */
export function openChannels(config: Config, origin: string): OpenChannels {
  const token = readToken(config);
  const bot = token === null ? null : openBotApi({ token, baseUrl: config.telegram_api_url, fetch });
  const dial = webhookDial(config);
  const webhook = webhookSender({
    origin,
    now: realEnv.now,
    post: (url, request, signal) => postPinned(dial, url, request, postLimits, signal),
  });
  return {
    bot,
    botId: bot?.botId ?? null,
    judgeUrl: (url) => judgeUrl(url, config.webhook_private_addresses),
    senders: bot === null ? { webhook } : { webhook, telegram: telegramSender({ bot, origin }) },
  };
}

function webhookDial({ webhook_private_addresses: isAnyAllowed }: Config): Dial {
  const dial = systemDial();
  if (isAnyAllowed) return { ...dial, mayReach: () => true };
  return { ...dial, mayReach: (address, port) => webhookPorts.includes(port) && dial.mayReach(address, port) };
}

function readToken({ telegram_bot_token: token, telegram_bot_token_file: file }: Config): string | null {
  if (file === null) return token;
  const read = readTokenFile(file);
  if (isBotToken(read)) return read;
  throw new AppError("config_invalid", `telegram_bot_token_file: ${file} holds no token as @BotFather shows it`);
}

function readTokenFile(file: string): string {
  try {
    const bytes = readSettingFile(file);
    if (bytes !== null) return bytes.toString("utf8").trim();
  } catch (error) {
    throw new AppError("config_invalid", `telegram_bot_token_file: ${AppError.from(error).message}`, { cause: error });
  }
  throw new AppError("config_invalid", `telegram_bot_token_file: ${file} cannot be read: there is no such file.`);
}

const httpsPort = 443;
/** Others would tell an account which ports of a host are open. */
const webhookPorts: readonly number[] = [httpsPort, 8443];

function judgeUrl(given: string, isAnyAllowed: boolean): string | null {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !["https:", "http:"].includes(url.protocol))
    return "must be an address such as https://example.com/hook";
  if (url.username !== "" || url.password !== "" || url.hash !== "") return "must have no user, password or fragment";
  if (isAnyAllowed) return null;
  if (url.protocol !== "https:") return "must begin with https://";
  if (!webhookPorts.includes(Number(url.port || httpsPort)))
    return `must use one of the ports ${webhookPorts.join(", ")}; whoever runs this installation may allow others`;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "localhost" || (net.isIP(host) !== 0 && !isPublicAddress(host)))
    return "must be a public address of the internet; whoever runs this installation may allow others";
  return null;
}
