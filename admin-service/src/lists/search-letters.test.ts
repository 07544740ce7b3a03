import type { HttpResponse } from '@platform/shared/testing/http-client';
import { type Role, uniqueWord } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';

const nfd = (text: string): string => text.normalize('NFD');

/** A term finds the text by none of the searches, by those that ignore accents, or by all. */
type FoundBy = 'none' | 'q' | 'all';

const PAIRS: readonly [text: string, term: string, foundBy: FoundBy][] = [
  ['José', 'José', 'all'],
  ['José', nfd('José'), 'all'],
  ['José', nfd('JOSÉ'), 'all'],
  ['José', 'jose', 'q'],
  ['José', 'os', 'all'],
  ['José', 'josè', 'q'],
  ['Jose', 'José', 'q'],
  ['Jose', nfd('José'), 'q'],
  ['JOSÉ', 'josé', 'all'],
  ['Nguyễn', nfd('nguyễn'), 'all'],
  ['Nguyễn', 'nguyên', 'q'],
  ['Nguyễn', 'NGUYEN', 'q'],
  ['Ångström', '\u212bngstrom', 'q'],
  ['Ångström', '\u212bngström', 'all'],
  ['Ångström', 'angstrom', 'q'],
  ['Ñandú', 'n\u0303andu\u0301', 'all'],
  ['Πρώτος', 'ΠΡΏΤΟΣ', 'all'],
  ['Πρώτος', nfd('ΠΡΏΤΟΣ'), 'all'],
  ['Πρώτος', 'πρώτοσ', 'all'],
  ['Πρώτος', 'ώτο', 'all'],
  ['Πρώτος', 'ΠΡΩΤΟΣ', 'q'],
  ['ΠΡΏΤΟΣ', 'πρώτος', 'all'],
  ['ΠΡΏΤΟΣ', 'πρώτοσ', 'all'],
  ['Σίσυφος', 'ςίςυφοσ', 'all'],
  ['Σίσυφος', 'ΣΊΣΥΦΟΣ', 'all'],
  ['Σίσυφος', 'σισ', 'q'],
  ['Πρώτος', 'πρώτοξ', 'none'],
  ['Πρώτα_ς', 'α_σ', 'all'],
  ['Πρώταξς', 'α_σ', 'none'],
  ['Πρώτα%ς', '%Σ', 'all'],
  ['Πρώτα\\ς', 'α\\σ', 'all'],
  ['Ёлка', 'ёлка', 'all'],
  ['Ёлка', nfd('ЁЛКА'), 'all'],
  ['Ёлка', 'елка', 'q'],
  ['Райский', 'раискии', 'q'],
  ['İstanbul', nfd('İstanbul'), 'all'],
  // İ is an upper case of i, as I is.
  ['İstanbul', 'istanbul', 'all'],
  ['Isparta', 'ısparta', 'none'],
  ['Ørsted', 'ørsted', 'all'],
  ['Ørsted', 'orsted', 'none'],
  ['Straße', 'STRAẞE', 'all'],
  ['Straße', 'strasse', 'none'],
  ['Łódź', 'łódź', 'all'],
  ['Łódź', 'łodz', 'q'],
  ['Łódź', 'lodz', 'none'],
  ['ガラス', nfd('ガラス'), 'all'],
  ['ガラス', 'カラス', 'q'],
  ['한글말', nfd('한글말'), 'all'],
  // NFD takes a syllable apart, too.
  ['한글말', '하', 'q'],
  ['שָׁלוֹם', 'שלום', 'q'],
  ['x\u0302y\u0302z', 'xyz', 'q'],
  ['علی\u200cرضا', 'علیرضا', 'q'],
  ['علیرضا', 'علی\u200cرضا', 'q'],
  ['Ka\u{e0061}te', 'kate', 'q'],
  ['50 % é', '% e', 'q'],
  ['50 x é', '% e', 'none'],
];

describe('search', () => {
  const service = useAdminService();
  const records = () => service().records;
  const administrator = () => service().administrator;
  const createUser = async (role: Role, lastName: string): Promise<string> =>
    (await records().user([role], { lastName })).id;
  const listUsers = (query: object) => administrator().listUsers({ query: { perPage: 100, ...query } });
  const listTeams = (search: string) => administrator().listTeams({ query: { perPage: 100, search } });
  const listProjects = (search: string) => administrator().listProjects({ query: { perPage: 100, search } });
  const listDeleted = (search: string) =>
    administrator().listDeletedProjects({ query: { perPage: 100, search } });

  const expectPairs = async (
    create: (text: string) => Promise<string>,
    find: (term: string) => Promise<HttpResponse>,
    findsPair: (foundBy: FoundBy) => boolean,
  ): Promise<void> => {
    const ids = new Map<string, string>();
    for (const text of new Set(PAIRS.map(([first]) => first))) ids.set(text, await create(text));
    const found: [string, string, boolean][] = [];
    for (const [text, term] of PAIRS) {
      const response = await find(term);
      expect(response.status, response.text).to.equal(200);
      found.push([text, term, getIds(response).includes(ids.get(text) ?? '')]);
    }
    const expected = PAIRS.map(([text, term, foundBy]) => [text, term, findsPair(foundBy)]);
    expect(found).to.deep.equal(expected);
  };

  for (const [name, create, find] of [
    [
      'the name of a customer',
      (text: string) => createUser('CUSTOMER', text),
      (q: string) => listUsers({ q }),
    ],
    [
      'the name of an employee, with a filter',
      (text: string) => createUser('EMPLOYEE', text),
      (q: string) => listUsers({ q, role: 'EMPLOYEE' }),
    ],
    ['the name of a team', (text: string) => records().team({ name: text }), listTeams],
  ] as const)
    it(`by ${name} ignores letter case and accents`, () =>
      expectPairs(create, find, (foundBy) => foundBy !== 'none'));

  for (const [name, create, find] of [
    ['the title of a project', (text: string) => records().project({ title: text }), listProjects],
    [
      'the description of a project',
      (text: string) => records().project({ description: text }),
      listProjects,
    ],
    [
      'the title of a deleted project',
      (text: string) => records().project({ title: text, deletedAt: minutesAgo(1) }),
      listDeleted,
    ],
  ] as const)
    it(`by ${name} ignores letter case and Unicode forms, but not accents`, () =>
      expectPairs(create, find, (foundBy) => foundBy === 'all'));

  it('by address ignores the accents of q, but not those of search', async () => {
    const word = uniqueWord();
    const { id } = await records().user([], { email: `jose.${word}@example.com` });
    for (const [term, found] of [
      ['JOSE.', [id]],
      ['josé.', []],
      [nfd('JOSÉ.'), []],
    ] as const) {
      expect(getIds(await listUsers({ q: term + word })), term).to.deep.equal([id]);
      expect(getIds(await listUsers({ search: term + word })), term).to.deep.equal(found);
      expect(getIds(await listUsers({ q: word, search: term })), term).to.deep.equal(found);
    }
  });

  it('by the slug of a team ignores accents', async () => {
    const word = uniqueWord();
    const id = await records().team({ slug: `soeur-${word}` });
    for (const term of [`Sœur-${word}`, `sóeûr-${word}`.toUpperCase(), nfd(`sóeûr-${word}`)])
      expect(getIds(await listTeams(term)), term).to.deep.equal(term.startsWith('Sœ') ? [] : [id]);
  });

  it('accepts a term of 255 characters in the form NFC', async () => {
    const title = 'é'.repeat(255);
    const id = await records().project({ title });
    expect(getIds(await listProjects(nfd(title)))).to.deep.equal([id]);
  });

  it('finds texts that were typed in the form NFD', async () => {
    const id = await records().project();
    const [title, description] = [`Café ${uniqueWord()}`, `Ümläut\n${uniqueWord()}`];
    const body = { title: nfd(title), description: nfd(description) };
    expect((await administrator().editProject({ id, body })).status).to.equal(200);
    expect((await administrator().getProject({ id })).body).to.include({ title, description });
    for (const term of [title, 'ümläut']) expect(getIds(await listProjects(term))).to.deep.equal([id]);
  });
});
