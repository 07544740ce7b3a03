import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { useWords } from '../../words/words.ts';
import { peopleNamed } from './audit-log-queries.ts';
import { LOG } from './log-words.ts';

type Person = { name: string | null; email: string };
const toOption = ({ name, email }: Person): string => (name === null ? email : `${name}, ${email}`);

/** Whose records: a name or address is typed, and one of the people who have it is chosen. */
export const PersonPicker = ({ onChoose }: { onChoose: (id: string) => void }) => {
  const words = useWords(LOG);
  const id = useId();
  const [text, setText] = useState('');
  const { data } = useQuery(peopleNamed(useDeferredValue(text.trim())));
  const people = data?.data ?? [];
  return (
    <div className="field">
      <label className="field-label-small" htmlFor={id}>
        {words.person}
      </label>
      <input
        id={id}
        type="text"
        className="input"
        list={`${id}-people`}
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget: { value } }) => {
          const chosen = people.find((person) => toOption(person) === value);
          setText(chosen ? '' : value);
          if (chosen) onChoose(chosen.id);
        }}
      />
      <datalist id={`${id}-people`}>
        {people.map((person) => (
          <option key={person.id} value={toOption(person)} />
        ))}
      </datalist>
    </div>
  );
};
