import { expect } from 'chai';
import { initialsOf } from './initials.ts';

describe('initials', () => {
  for (const [name, initials] of [
    ['Ada Lovelace', 'AL'],
    ['Noor de Vries', 'NV'],
    ['ada@example.com', 'A'],
    ['Østergård', 'Ø'],
    ['  ', '?'],
    ['<b>x</b> 中村', 'B中'],
  ] as const)
    it(`of “${name}” are ${initials}`, () => expect(initialsOf(name)).to.equal(initials));
});
