-- How the pages of a run are found, what an undo has taken back, and which models one run asks for.

-- Of the props only the beginning is indexed: they are the user's to fill, and an index takes no long values.
create index onto_documents_homework on onto_documents
  (left(props->'homework'->>'run_id', 64), left(props->'homework'->>'path', 200)) where props ? 'homework';
create index onto_documents_homework_props on onto_documents using gin ((props->'homework') jsonb_path_ops) where props ? 'homework';
create index onto_edges_run on onto_edges (created_by_run) where created_by_run is not null;

-- What it wrote is not there any more: an undo has taken it back. The lines that an undo itself writes are marked as well, so
-- that what is not marked is, entity by entity, how the row came to be what it is.
alter table onto_changes add column is_undone boolean not null default false;
-- Versions that an undo has taken back are not given out again (src/store/project-store.ts).
create index onto_changes_undone on onto_changes (entity_id, version) where is_undone;

-- By role; null: what the installation has for each.
alter table homework_runs add column models jsonb check (jsonb_typeof(models) = 'object');
