-- The local owner keeps being the same person after accounts were turned on, whatever address they sign in with then; and what
-- each person may spend and keep is a row that admins set.

alter table auth_users add column is_local_owner boolean not null default false;
update auth_users set is_local_owner = true where email = 'owner@homework.local';
create unique index auth_users_local_owner on auth_users (is_local_owner) where is_local_owner;
