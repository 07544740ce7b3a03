import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import type { Selection } from './selection.ts';

/** The box that selects all loaded rows, or none. */
export const SelectAll = <Row extends { id: string }>({ selection }: { selection: Selection<Row> }) => {
  const words = useWords(COMMON);
  const { rows, selected, selectAll, clear } = selection;
  const isAll = rows.length > 0 && selected.length === rows.length;
  return (
    <input
      type="checkbox"
      className="table-select-box"
      aria-label={words.selectAll}
      checked={isAll}
      ref={(box) => {
        // `indeterminate` is a property without an attribute in HTML.
        if (box) box.indeterminate = selected.length > 0 && !isAll;
      }}
      onChange={isAll ? clear : selectAll}
    />
  );
};

export const SelectRow = <Row extends { id: string }>(props: { selection: Selection<Row>; row: Row }) => {
  const { selection, row } = props;
  const words = useWords(COMMON);
  return (
    <input
      type="checkbox"
      className="table-select-box"
      aria-label={words.select(selection.nameOf(row))}
      checked={selection.ids.has(row.id)}
      onChange={() => undefined}
      onClick={({ shiftKey }) => selection.toggle(row.id, shiftKey)}
    />
  );
};
