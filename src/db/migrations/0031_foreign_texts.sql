-- What a user hands over and others wrote, with an objective or a message of a conversation: it is material, and no words of the user's.

alter table homework_runs add column foreign_texts jsonb not null default '[]' check (jsonb_typeof(foreign_texts) = 'array');
alter table chat_messages add column foreign_texts jsonb not null default '[]' check (jsonb_typeof(foreign_texts) = 'array');
