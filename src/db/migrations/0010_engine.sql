-- What a planner asks again and again, by what it asks with: the memory its last iteration left behind, and which of these
-- things its run has made. Both stay as quick as they are, however old the run is.
create index homework_run_steps_memory on homework_run_steps (run_id, iteration) where key = 'memory';
create index onto_changes_run_entity on onto_changes (run_id, entity_id) where run_id is not null;
drop index onto_changes_run;

-- The same rule as before (migration 0002), step by step instead of in two recursive queries: those were planned once, for the
-- few edges there were then, and went on reading every edge of a project when there were thousands. A lookup by key stays one.
drop trigger keep_document_tree on onto_edges;
set local role homework_system;
drop function keep_document_tree();
set local role homework_owner;
create function keep_document_tree() returns trigger language plpgsql security definer
  set search_path = homework, pg_temp set enable_seqscan = off as $$
declare
  above integer := 1;
  at_id uuid := new.src_id;
  level uuid[] := array[new.dst_id];
  below integer := 1;
begin
  perform 1 from onto_change_counters where project_id = new.src_project_id for no key update;
  if new.rel <> 'document_has_document' or new.deleted_at is not null then return new; end if;
  loop
    if at_id = new.dst_id then raise exception 'a document cannot be below itself' using errcode = 'HW001'; end if;
    select e.src_id into at_id from onto_edges e
     where e.dst_id = at_id and e.rel = 'document_has_document' and e.deleted_at is null and e.id <> new.id;
    exit when not found or above > 32;
    above := above + 1;
  end loop;
  loop
    select array_agg(e.dst_id) into level from onto_edges e
     where e.src_id = any (level) and e.rel = 'document_has_document' and e.deleted_at is null;
    exit when level is null or below > 32;
    below := below + 1;
  end loop;
  if above + below > 32 then raise exception 'documents may be 32 levels deep' using errcode = 'HW003'; end if;
  return new;
end $$;
create trigger keep_document_tree before insert or update on onto_edges for each row execute function keep_document_tree();
revoke all on function keep_document_tree() from public;
alter function keep_document_tree() owner to homework_system;
