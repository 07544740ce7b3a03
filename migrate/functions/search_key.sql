-- The text for searches that ignore letter case and accents: a term is found in a text if its key is part of the
-- key of the text. Removes the marks that Unicode's form NFD takes apart from Latin, Greek and Cyrillic letters,
-- the points of Hebrew, the hamza and madda of Arabic, the nukta of Indic scripts, and the sound marks of Japanese.
-- ς and σ are one letter. Most names are ASCII, which takes a tenth of the time. This is a function, because indexes
-- and queries need the same expression, and a single one, so that Postgres inlines it. A change of it requires a
-- migration that builds the indexes again.
create or replace function search_key(value text) returns text language sql immutable parallel safe as $$
  select case
    when octet_length(value) = char_length(value) then lower(value)
    else translate(lower(regexp_replace(normalize(value, NFD),
      '[\u0300-\u036f\u05b4\u05b7-\u05bc\u05bf\u05c1\u05c2\u0653-\u0655\u093c\u09bc\u0a3c\u0b3c\u3099\u309a]', '', 'g')), 'ς', 'σ')
  end
$$;
