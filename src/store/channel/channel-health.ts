// Whether channels do their work, for `homework doctor`. Asked as the platform, since no other role sees everyone's.

import type pg from "pg";
import { z } from "zod";
import { rowOf } from "../row.ts";

const troubleRow = rowOf({ name: z.string(), kind: z.string(), why: z.string() });
const botRow = rowOf({ username: z.string(), lastError: z.string() });

export type ChannelHealth = {
  readonly channels: number;
  /** Those that the platform switched off, and those whose last delivery that has ended or failed was not taken. */
  readonly troubled: readonly z.infer<typeof troubleRow>[];
  /** Bots whose updates cannot be asked for at the moment. */
  readonly deafBots: readonly z.infer<typeof botRow>[];
};

/** As many as people read. */
const shownMax = 20;

const troubled = `
  select c.name, c.kind, coalesce(c.off_reason, d.last_error) as why
    from homework.user_channels c left join lateral (
      select state, last_error from homework.channel_deliveries
       where channel_id = c.id and (state <> 'pending' or last_error is not null) and state <> 'dropped'
       order by created_at desc, id desc limit 1) as d on true
   where c.off_reason is not null or (c.is_on and d.state <> 'delivered')
   order by c.created_at, c.id limit ${shownMax}`;

export async function examineHealth(admin: pg.Client): Promise<ChannelHealth> {
  await admin.query("begin read only");
  try {
    await admin.query("set local role homework_system");
    const counted = await admin.query<{ count: number }>("select count(*)::int as count from homework.user_channels");
    const found = await admin.query(troubled);
    const bots = await admin.query(
      "select username, last_error from homework.telegram_bots where last_error is not null",
    );
    return {
      channels: counted.rows[0]?.count ?? 0,
      troubled: z.array(troubleRow).parse(found.rows),
      deafBots: z.array(botRow).parse(bots.rows),
    };
  } finally {
    await admin.query("rollback");
  }
}
