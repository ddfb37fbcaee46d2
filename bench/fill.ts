// Fills a project with many rows of believable text, straight in the database, a thousand at a time.

import pg from "pg";
import { embeddedDatabase } from "../test/chaos/chaos-database.ts";

/** Words that text is made of; a few are rare, so that a search for them finds few. */
const words =
  "river stone market season harbour lantern winter copper garden signal bridge engine letter window island valley forest meadow planet music number teacher station kitchen journey morning silver pepper cotton thunder velvet mirror castle anchor saddle timber candle orchard compass feather".split(
    " ",
  );

export async function asSuperuser<T>(data: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: embeddedDatabase(data).adminUrl() });
  await admin.connect();
  try {
    await admin.query("set search_path = homework");
    return await work(admin);
  } finally {
    await admin.end();
  }
}

export async function fill(admin: pg.Client, table: string, projectId: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1_000)
    await admin.query(
      `insert into ${table} (id, project_id, title, content, state_key, updated_at)
       select gen_random_uuid(), $1, 'Item ' || n || ' ' || w[1 + n % 40],
              (select string_agg(w[1 + ((n * 7 + k * k * 31 + k) % 40)], ' ') from generate_series(1, 120) k)
                || case when n % 10000 = 77 then ' quokka' else '' end,
              case when n % 3 = 0 then (array['done', 'published', 'draft'])[1] else 'todo' end, now() - n * interval '1 second'
         from generate_series($2::int, $3::int) n, (select $4::text[] as w) words`,
      [projectId, done + 1, Math.min(count, done + 1_000), words],
    );
  await admin.query(`vacuum analyze ${table}`);
}
