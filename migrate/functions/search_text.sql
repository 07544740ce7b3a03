-- The text for searches by word: like search_key, of which the indexes of releases before 1.3.0 are made, and also
-- without the code points that Unicode calls default ignorable, such as the non-joiner in Persian names: nobody sees
-- them. A single expression for the same reasons as search_key. A change of it requires new indexes beside the old
-- ones, and therefore another name: an index is not built again when its function is replaced.
create or replace function search_text(value text) returns text language sql immutable parallel safe as $$
  select case
    when octet_length(value) = char_length(value) then lower(value)
    else translate(lower(regexp_replace(normalize(value, NFD),
      '[\u0300-\u036f\u05b4\u05b7-\u05bc\u05bf\u05c1\u05c2\u0653-\u0655\u093c\u09bc\u0a3c\u0b3c\u3099\u309a'
      '\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f'
      '\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g')), 'ς', 'σ')
  end
$$;
