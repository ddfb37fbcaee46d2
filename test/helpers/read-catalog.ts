// Everything that a schema consists of, one line each and sorted: columns, constraints, indexes, functions, triggers, policies, rights,
// and the queues. Two databases with the same lines behave alike.

import type pg from "pg";

/** Partitions of a day are made as time goes by; names of not-null constraints and of columns of an index mean nothing. */
const lines = `
with ours as (
  select c.oid::regclass as name, c.* from pg_class c
   where c.relnamespace in ('homework'::regnamespace, 'homework_queue'::regnamespace) and c.relname !~ 'queue_stats_[0-9]')
select format('relation %s %s %s %s %s %s %s', name, relkind, relowner::regrole, relacl, reloptions, relrowsecurity, relforcerowsecurity)
  from ours where relkind <> 'i'
union all
select format('column %s.%s %s %s %s %s %s %s', o.name, case when o.relkind in ('i', 'I') then a.attnum::text else a.attname end, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated,
    pg_get_expr(d.adbin, d.adrelid), a.attacl, a.attstattarget)
  from ours o join pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
union all
select format('constraint %s %s %s', coalesce(o.name::text, t.typname), n.conname, pg_get_constraintdef(n.oid))
  from pg_constraint n left join ours o on o.oid = n.conrelid left join pg_type t on t.oid = n.contypid
 where n.contype <> 'n' and (o.oid is not null or t.typnamespace = 'homework'::regnamespace)
union all
select format('index %s %s', o.name, pg_get_indexdef(o.oid)) from ours o where relkind = 'i'
union all
select format('function %s %s %s', pg_get_functiondef(p.oid), p.proowner::regrole, p.proacl::text)
  from pg_proc p where p.pronamespace in ('homework'::regnamespace, 'homework_queue'::regnamespace)
union all
select format('trigger %s %s', pg_get_triggerdef(t.oid), t.tgenabled) from pg_trigger t join ours o on o.oid = t.tgrelid where not t.tgisinternal
union all
select format('policy %s %s %s %s %s %s', tablename, policyname, roles, cmd, qual, with_check) from pg_policies where schemaname = 'homework'
union all
select format('view %s %s', name, pg_get_viewdef(oid)) from ours where relkind = 'v'
union all
select format('type %s %s', t.typname, t.typtype) from pg_type t where t.typnamespace = 'homework'::regnamespace and t.typtype in ('d', 'e')
union all
select format('queue %s', to_jsonb(q) - '{created_on,updated_on,monitor_on,monitor_claim_on,maintain_on}'::text[]) from homework_queue.queue q`;

export async function readCatalog(client: pg.Client): Promise<readonly string[]> {
  await client.query("set search_path = pg_catalog"); // Names are told with their schema.
  const { rows } = await client.query<{ line: string }>(
    `select line from (${lines}) as all_of_it (line) order by line`,
  );
  return rows.map(({ line }) => line);
}
