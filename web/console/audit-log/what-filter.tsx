import type { AuditAction } from '@platform/client';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CheckBox } from '../../components/forms/fields.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { nameOf } from '../names.ts';
import { ACTION_NAMES } from '../records/actions.ts';
import { ACTION_GROUPS, actionsOf, MOST_ACTIONS, toNames } from './action-groups.ts';
import { AUDIT_LOG } from './audit-log-words.ts';
import { FilterPopover } from './filter-popover.tsx';

type ChoiceProps = {
  initial: readonly string[];
  /** Called with undefined for all actions. */
  onShow: (action: string | undefined) => void;
};

const Choice = ({ initial, onShow }: ChoiceProps) => {
  const words = useWords(AUDIT_LOG);
  const names = useWords(ACTION_NAMES);
  const [chosen, setChosen] = useState(initial);
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const groups = Object.entries(ACTION_GROUPS).map(([group, { length }]) => ({
    name: group,
    label: words.groups[group as keyof typeof ACTION_GROUPS],
    aside: words.actions(formatNumber(length)),
  }));
  const actions = (Object.entries(names) as [AuditAction, string][]).map(([name, label]) => ({
    name: name as string,
    label,
    aside: '',
  }));
  // Groups are listed; a single action only if its name matches the search or if the address has it.
  const shown = wanted
    ? [...groups, ...actions].filter(({ label }) => label.toLowerCase().includes(wanted))
    : [...groups, ...actions.filter(({ name }) => initial.includes(name) || chosen.includes(name))];
  const isTooMany = (actionsOf(chosen.join('.')) ?? []).length > MOST_ACTIONS;
  const toggle = (name: string): void =>
    setChosen(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isTooMany) onShow(chosen.length > 0 ? chosen.join('.') : undefined);
      }}
    >
      <input
        type="text"
        className="field-input"
        aria-label={words.findAction}
        placeholder={words.findAction}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ul className="log-what-choices">
        {shown.map(({ name, label, aside }) => (
          <li key={name}>
            <CheckBox checked={chosen.includes(name)} onChange={() => toggle(name)}>
              <span>{label}</span>
            </CheckBox>
            <span className="muted small">{aside}</span>
          </li>
        ))}
      </ul>
      <p className="menu-label" role="status">
        {isTooMany && words.tooManyActions(formatNumber(MOST_ACTIONS))}
        {shown.length === 0 && words.noAction}
      </p>
      <div className="popover-foot row row-end">
        <Button look="quiet" isSmall isUnavailable={chosen.length === 0} onClick={() => setChosen([])}>
          {words.clear}
        </Button>
        <Button type="submit" look="main" isSmall isUnavailable={isTooMany}>
          {words.show}
        </Button>
      </div>
    </form>
  );
};

type WhatFilterProps = { action: string | undefined; onChoose: (action: string | undefined) => void };

/** Chooses the shown actions, by groups or one by one; each choice loads the list at once. */
export const WhatFilter = ({ action, onChoose }: WhatFilterProps) => {
  const words = useWords(AUDIT_LOG);
  const names = useWords(ACTION_NAMES);
  const chosen = toNames(action);
  const labels = chosen.map((name) => nameOf({ ...words.groups, ...names }, name));
  return (
    <FilterPopover
      label={words.did}
      value={labels.length === 0 ? words.everything : labels.join(', ')}
      onRemove={labels.length === 0 ? undefined : () => onChoose(undefined)}
    >
      {(close) => (
        <Choice
          initial={chosen}
          onShow={(next) => {
            close();
            onChoose(next);
          }}
        />
      )}
    </FilterPopover>
  );
};
