import type { Draft } from '../draft.ts';
import type { Random } from '../random.ts';
import type { Mutations } from './mutation.ts';
import { ODD_NUMBERS, ODD_TEXTS, PROTOTYPE_KEYS } from './mutation.ts';

const RAW_VALUES = [
  '%',
  '%zz',
  '%2',
  '%00',
  '%C0%80',
  '%ED%A0%80',
  '%FF',
  '+',
  '%2B',
  '\xe4',
  '%u0041',
  '%F0%9F%9A%80',
];
const NAMES = ['page', 'perPage', 'search', 'role', 'isBlocked', 'status', 'category', 'actorId', 'from'];

const declaredIn = ({ operation }: Draft): string[] =>
  operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);

/** A parameter of the operation, if it has any. */
const nameFor = (draft: Draft, random: Random): string => {
  const declared = declaredIn(draft);
  return random.pick(declared.length > 0 && random.chance(0.9) ? declared : NAMES);
};

/** Lone surrogates cannot be percent-encoded; they are sent as the bytes that some programs make of them. */
const encode = (text: string): string =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '')) || '%ED%A0%80';

const set = (draft: Draft, name: string, value: string): boolean => {
  draft.query = draft.query.filter(([other]) => other !== name);
  draft.query.push([name, value]);
  return true;
};

export const QUERY_MUTATIONS: Mutations = {
  'repeated parameter': (draft, random) => {
    const [name, value] = draft.query[0] ?? [nameFor(draft, random), '1'];
    draft.query.push([name, value], [name, random.pick([value, '2', ''])]);
    return true;
  },
  'undeclared parameter': (draft, random) =>
    set(draft, random.pick(['foo', '', '🚀', 'PAGE', 'page ', 'a'.repeat(2_000)].map(encodeURI)), '1'),
  'prototype parameter': (draft, random) => {
    const key = random.pick(PROTOTYPE_KEYS);
    return set(draft, random.pick([key, `${key}[x]`, `page[${key}]`, `${key}[${key}][x]`]), '1');
  },
  'structured parameter': (draft, random) => {
    const name = nameFor(draft, random);
    return set(
      draft,
      random.pick([`${name}[]`, `${name}[0]`, `${name}[a]`, `${name}[a][b]`, `${name}.a`]),
      '1',
    );
  },
  'odd number in a parameter': (draft, random) =>
    set(draft, nameFor(draft, random), encodeURIComponent(random.pick(ODD_NUMBERS))),
  'odd text in a parameter': (draft, random) =>
    set(draft, nameFor(draft, random), encode(random.pick(ODD_TEXTS))),
  'broken encoding in a parameter': (draft, random) =>
    set(draft, nameFor(draft, random), random.pick(RAW_VALUES)),
  'empty parameter': (draft, random) => set(draft, nameFor(draft, random), ''),
  'long parameter': (draft, random) =>
    set(draft, nameFor(draft, random), 'a'.repeat(random.pick([255, 256, 8_000]))),
  'many parameters': (draft, random) => {
    for (let count = 0; count < random.pick([50, 1_200]); count += 1) draft.query.push([`p${count}`, '']);
    return true;
  },
  'odd separators': (draft, random) => set(draft, random.pick(['&&&', ';a', '?', '=', '&=', '#']), ''),
};
