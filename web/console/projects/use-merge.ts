import { useState } from 'react';
import { mergeTexts } from './merge.ts';
import type { Author, Conflict, Taken } from './merged-field.tsx';
import { type Field, findChanges, type Texts } from './project.ts';
import type { Edit } from './project-queries.ts';

type Fields<Value> = Partial<Record<Field, Value>>;
type Merged = { author: Author; taken: Fields<Taken>; conflicts: Fields<Conflict> };

const findAuthor = (edits: readonly Edit[], field?: Field): Author => {
  const edit = edits.find(({ fields }) => field === undefined || fields.includes(field)) ?? edits[0];
  return { name: edit?.author, at: edit?.at ?? new Date() };
};

const without = <Value>(values: Fields<Value>, fields: readonly Field[]): Fields<Value> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field as Field)));

const join = ({ mine, theirs }: Conflict, field: Field): string =>
  field === 'description' ? `${mine}\n\n${theirs}` : `${mine} ${theirs}`;

/** The changes that colleagues have saved while the form was open, and the choices made since. */
export const useMerge = () => {
  const [merged, setMerged] = useState<Merged>();

  /** @returns the texts that the form shows from now on */
  const merge = (base: Texts, mine: Texts, theirs: Texts, edits: readonly Edit[]): Texts => {
    const { texts, taken, conflicts } = mergeTexts(base, mine, theirs);
    const toTaken = (field: Field) => ({ was: base[field], author: findAuthor(edits, field) });
    const toConflict = (field: Field): Conflict => ({
      base: base[field],
      mine: mine[field],
      theirs: theirs[field],
      author: findAuthor(edits, field),
      choice: 'mine',
    });
    // Fields that were merged before stay as they are, unless they have changed once more.
    const again = findChanges(base, theirs);
    setMerged({
      author: findAuthor(edits),
      taken: {
        ...without(merged?.taken ?? {}, again),
        ...Object.fromEntries(taken.map((field) => [field, toTaken(field)])),
      },
      conflicts: {
        ...without(merged?.conflicts ?? {}, again),
        ...Object.fromEntries(conflicts.map((field) => [field, toConflict(field)])),
      },
    });
    return texts;
  };

  /** @returns the new text of the field: the chosen one, or both texts joined */
  const choose = (field: Field, choice: Conflict['choice']): string | undefined => {
    const conflict = merged?.conflicts[field];
    if (!(merged && conflict)) return undefined;
    setMerged({ ...merged, conflicts: { ...merged.conflicts, [field]: { ...conflict, choice } } });
    if (choice !== 'third') return conflict[choice];
    return field === 'category' ? conflict.mine : join(conflict, field);
  };

  return { merged, merge, choose };
};
