-- The mark of a database that belongs to a test bench, and the tables of the test bench. It repeats without effect.
create schema if not exists test_bench;

-- `email` is in lower case. An invited person has no account yet, so `user_id` refers to no table.
create table if not exists test_bench.accounts (
  user_id uuid primary key,
  label text not null,
  email text
);
create index if not exists accounts_label on test_bench.accounts (label);

-- The smallest id of a label is its own network.
create table if not exists test_bench.networks (
  network text primary key,
  label text not null,
  id bigint generated always as identity
);
create index if not exists networks_label on test_bench.networks (label, id);

-- The distance from 198.18.0.0. A network is not used again for long, because limits and waits of its last label may last.
create sequence if not exists test_bench.network_numbers as integer minvalue 1 maxvalue 131070 cycle;
