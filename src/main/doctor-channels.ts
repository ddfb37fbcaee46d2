// What `homework doctor` says of channels: those that fail, and a Telegram bot that cannot be heard.

import type pg from "pg";
import type { Finding } from "../cli/ports.ts";
import { examineHealth } from "../store/channel/channel-health.ts";

export async function examineChannels(admin: pg.Client): Promise<readonly Finding[]> {
  const { channels, troubled, deafBots } = await examineHealth(admin);
  const findings = [
    ...troubled.map(({ name, kind, why }) =>
      warning(`${kind} “${name}”: ${why}`, "Its user can look at the deliveries and test it under Settings, Channels"),
    ),
    ...deafBots.map(({ username, lastError }) =>
      warning(
        `@${username}: ${lastError}`,
        "Check telegram_bot_token, and that no other program asks for the bot's updates",
      ),
    ),
  ];
  if (findings.length > 0) return findings;
  return [{ name: "channels", status: "ok", message: channels === 0 ? "none" : `${channels}, none fails`, fix: null }];
}

const warning = (message: string, fix: string): Finding => ({ name: "channels", status: "warning", message, fix });
