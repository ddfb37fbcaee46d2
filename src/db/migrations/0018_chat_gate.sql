-- Chats go through the same gate as runs: a run keeps that it was started from a conversation with text of strangers, and a
-- message keeps what its provider wants back.

alter table homework_runs
  -- Its objective may hold words of strangers: it begins as a run that has read them.
  add column began_untrusted boolean not null default false;

alter table chat_messages
  -- Of an answer: the provider's own message, and the ids it gave its calls.
  add column said jsonb;
