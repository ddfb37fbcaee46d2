-- Headlines are made of a passage, not of a whole text: the time that ts_headline takes grows with the square of the matches, so a dozen
-- documents of one word repeated made every search run into its time-out.

-- Around the first of the words that were typed, as far as that can be told without taking the text apart.
create function search_passage(body text, typed text) returns text language sql immutable
  return substr(body, greatest(1, position(lower(left(coalesce(substring(typed from '\w{3,}'), typed), 6)) in lower(left(body, 100000))) - 500), 4000);
revoke all on function search_passage(text, text) from public;
grant execute on function search_passage(text, text) to homework_system;

-- The two searches stay as they are but for that.
do $$
declare
  entities text := pg_get_functiondef('app_search(text, uuid, text, uuid, boolean, integer)'::regprocedure);
  outcomes text := pg_get_functiondef('app_search_outcomes(text, uuid, text, integer)'::regprocedure);
begin
  set local role homework_system;
  drop function app_search(text, uuid, text, uuid, boolean, integer);
  drop function app_search_outcomes(text, uuid, text, integer);
  set local role homework_owner;
  entities := replace(entities, 'app_search_text(b.kind, b.id), $1', 'search_passage(app_search_text(b.kind, b.id), $5), $1');
  execute replace(entities, 'using wanted, projects, max_hits, own;', 'using wanted, projects, max_hits, own, typed;');
  execute replace(outcomes, 'ts_headline(''english'', b.body, wanted', 'ts_headline(''english'', search_passage(b.body, typed), wanted');
end $$;
revoke all on function app_search(text, uuid, text, uuid, boolean, integer) from public;
grant execute on function app_search(text, uuid, text, uuid, boolean, integer) to homework_app;
alter function app_search(text, uuid, text, uuid, boolean, integer) owner to homework_system;
revoke all on function app_search_outcomes(text, uuid, text, integer) from public;
grant execute on function app_search_outcomes(text, uuid, text, integer) to homework_app;
alter function app_search_outcomes(text, uuid, text, integer) owner to homework_system;
