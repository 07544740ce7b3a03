import { bytesOf, type Draft } from '../draft.ts';
import type { Random } from '../random.ts';
import type { Mutation, Mutations } from './mutation.ts';
import { ODD_NUMBERS } from './mutation.ts';

const LIMIT_BYTES = 102_400;

/** Replaces the JSON text as a whole. */
const onText =
  (change: (text: string, random: Random) => string | Buffer): Mutation =>
  (draft, random) => {
    const bytes = bytesOf(draft);
    if (!bytes) return false;
    const changed = change(bytes.toString('utf8'), random);
    draft.bytes = Buffer.isBuffer(changed) ? changed : Buffer.from(changed);
    return true;
  };

/** Sends something whatever the operation asks for, a GET too. */
const onAny =
  (make: (draft: Draft, random: Random) => string): Mutation =>
  (draft, random) => {
    draft.bytes = Buffer.from(make(draft, random));
    return true;
  };

const BREAKINGS: ((text: string, random: Random) => string)[] = [
  (text, random) => text.slice(0, random.int(0, Math.max(0, text.length - 1))),
  (text) => text.replace(/\}$/, ',}'),
  (text) => text.replaceAll('"', "'"),
  (text) => `\ufeff${text}`,
  (text) => `// note\n${text}`,
  (text) => `${text}${text}`,
  (text) => text.replace(/":/, '":NaN,"x":'),
  (text) => text.replace(/":"/, '":"\n'),
  (text) => text.replace(/":"/, '":"\\x'),
  (text) => text.replace(/":"/, '":"\\u12'),
  (text) => text.replace('{', '{,'),
];

/** What is done to a body once it is text. */
export const BODY_TEXT_MUTATIONS: Mutations = {
  'broken JSON': onText((text, random) => random.pick(BREAKINGS)(text, random)),
  'odd number': onText((text, random) =>
    text.replace(/"(?=[,}])/, '').replace(/:"?[^,}]*/, `:${random.pick(ODD_NUMBERS)}`),
  ),
  'repeated key': onText((text) => text.replace(/^\{("[^"]*":)/, '{$1"first",$1')),
  'escaped surrogate': onText((text, random) =>
    text.replace(
      /":"/,
      `":"${random.pick(['\\ud800', '\\udc00', '\\ud83d\\ud83d', '\\u0000', '\\u0000\\ud800'])}`,
    ),
  ),
  'invalid UTF-8': onText((text) =>
    Buffer.concat([
      Buffer.from(text.slice(0, -2)),
      Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
      Buffer.from('"}'),
    ]),
  ),
  'too large': onText((text, random) => {
    const size = random.pick([LIMIT_BYTES - 100, LIMIT_BYTES, LIMIT_BYTES + 1, 3 * LIMIT_BYTES]);
    return text + ' '.repeat(Math.max(0, size - Buffer.byteLength(text)));
  }),
  'deep body': onAny((_draft, random) => {
    const depth = random.pick([33, 1_000, 50_000]);
    return random.chance(0.5)
      ? '['.repeat(depth) + ']'.repeat(depth)
      : '{"a":'.repeat(depth / 3) + 1 + '}'.repeat(depth / 3);
  }),
  'no object': onAny((_draft, random) =>
    random.pick(['[]', '[{}]', '"text"', '1', 'true', 'null', ' ', '{}', '-', '"']),
  ),
  'no body': (draft) => {
    const had = bytesOf(draft) !== undefined;
    draft.json = undefined;
    draft.bytes = undefined;
    return had;
  },
};
