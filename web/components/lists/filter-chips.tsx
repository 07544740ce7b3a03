import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { CloseIcon, PlusIcon } from '../icons.tsx';
import { Menu, MenuChoice, MenuLabel } from '../menu.tsx';

export type Filter<Name> = { name: Name; label: string; options: Readonly<Record<string, string>> };

type ListFilters<Name extends string> = {
  filters: Partial<Record<Name, string>>;
  setFilter: (name: Name, value: string | undefined) => void;
};
type FiltersProps<Name extends string> = { list: ListFilters<Name>; filters: readonly Filter<Name>[] };

const Options = <Name extends string>({ list, filter }: { list: ListFilters<Name>; filter: Filter<Name> }) =>
  Object.entries(filter.options).map(([value, text]) => (
    <MenuChoice
      key={value}
      isChecked={list.filters[filter.name] === value}
      onClick={() => list.setFilter(filter.name, value)}
    >
      {text}
    </MenuChoice>
  ));

/** The cross of a chip. */
export const RemoveFilter = ({ label, onClick }: { label: string; onClick: () => void }) => {
  const { removeFilter } = useWords(COMMON);
  return (
    <button
      type="button"
      className="chip-remove"
      aria-label={removeFilter(label)}
      title={removeFilter(label)}
      onClick={onClick}
    >
      <CloseIcon />
    </button>
  );
};

/** A chip for each filter that is set, with its value and a cross, and a menu of those that are left. */
export const FilterChips = <Name extends string>({ list, filters }: FiltersProps<Name>) => {
  const words = useWords(COMMON);
  const isSet = ({ name }: Filter<Name>) => list.filters[name] !== undefined;
  const left = filters.filter((filter) => !isSet(filter));
  return (
    <>
      {filters.filter(isSet).map((filter) => {
        const value = list.filters[filter.name] ?? '';
        return (
          <span key={filter.name} className="chip">
            <Menu
              className="chip-open"
              button={
                <>
                  <span className="muted">{filter.label}:</span> {filter.options[value] ?? value}
                </>
              }
            >
              <Options list={list} filter={filter} />
            </Menu>
            <RemoveFilter label={filter.label} onClick={() => list.setFilter(filter.name, undefined)} />
          </span>
        );
      })}
      {left.length > 0 && (
        <Menu
          className="chip chip-add"
          button={
            <>
              <PlusIcon />
              {words.filter}
            </>
          }
        >
          {left.map((filter) => (
            // biome-ignore lint/a11y/useSemanticElements: a menu has groups, and no fieldset.
            <div key={filter.name} role="group" aria-label={filter.label}>
              <MenuLabel>{filter.label}</MenuLabel>
              <Options list={list} filter={filter} />
            </div>
          ))}
        </Menu>
      )}
    </>
  );
};
