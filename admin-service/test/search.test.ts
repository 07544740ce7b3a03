import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { idsOf, useAdministrator, useAdminService, withQuery } from './admin-service.ts';

/** In a table as small as those of the tests Postgres would use no index, and never show that one misses something. */
const PLANS = {
  'by whatever plan': {},
  'by the indexes': { enable_seqscan: 'off', enable_indexscan: 'off', enable_indexonlyscan: 'off' },
};
/** Those that sort a list could serve a filter instead of those for the search. */
const REMOVE_LIST_INDEXES = `
  do $$ declare name text; begin
    for name in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
      where i.indrelid in ('users'::regclass, 'projects'::regclass) and not i.indisunique and a.amname = 'btree'
    loop execute format('drop index %I', name); end loop;
  end $$`;
const useSearch = (settings: Record<string, string>) => {
  const service = useAdminService({}, settings);
  if (Object.keys(settings).length > 0)
    before('remove the indexes of the lists', () => service().records.query(REMOVE_LIST_INDEXES));
  return service;
};

for (const [plan, settings] of Object.entries(PLANS))
  describe(`The search for projects ${plan}`, () => {
    // Each group searches in a category of its own, so that even a term of one character has an answer that is known.
    const categories = ['WEB', 'MOBILE', 'DESIGN', 'MARKETING', 'DATA', 'DEVOPS', 'CONSULTING', 'OTHER'];
    const service = useSearch(settings);
    const administrator = useAdministrator(service);
    let ownerId: string;
    before(async () => {
      ownerId = (await service().records.user(['CUSTOMER'])).id;
    });
    const search = (term: string, query: Record<string, string> = {}) =>
      administrator().api.get(withQuery('/projects', { search: term, perPage: 100, ...query }));

    /** Projects of these titles, alone in a category; the function returned tells which of them a search finds. */
    const shelf = async (titles: readonly string[]) => {
      const category = categories.pop();
      if (category === undefined) throw new Error('Every category is taken');
      const byId = new Map<string, string>();
      for (const title of titles)
        byId.set(await service().records.project({ ownerId, category, title, description: '---' }), title);
      return async (term: string): Promise<string[]> => {
        const answer = await search(term, { category });
        expect(answer.status, answer.text).to.equal(200);
        const ids = idsOf(answer);
        expect(answer.body.total, `total for ${term}`).to.equal(ids.length);
        return ids.map((id) => byId.get(id) ?? 'another');
      };
    };

    it('When the term holds a character that SQL knows, then it stands for itself', async () => {
      const titles = [
        '100% done',
        '100 done',
        'snake_case',
        'snakeXcase',
        'back\\slash',
        'backslash',
        'l\'été "quoted"',
        'plain words',
        'a%b_c\\d',
        '50%% off',
        'x*y?z[w]',
        'semi;colon -- drop',
      ];
      const find = await shelf(titles);
      expect(await find('%')).to.have.members(['100% done', 'a%b_c\\d', '50%% off']);
      expect(await find('%%')).to.have.members(['50%% off']);
      expect(await find('0%')).to.have.members(['100% done', '50%% off']);
      expect(await find('100% d')).to.have.members(['100% done']);
      expect(await find('_')).to.have.members(['snake_case', 'a%b_c\\d']);
      expect(await find('e_c')).to.have.members(['snake_case']);
      expect(await find('snake_case')).to.have.members(['snake_case']);
      expect(await find('\\')).to.have.members(['back\\slash', 'a%b_c\\d']);
      expect(await find('k\\s')).to.have.members(['back\\slash']);
      expect(await find('back\\slash')).to.have.members(['back\\slash']);
      expect(await find('a%b_c\\d')).to.have.members(['a%b_c\\d']);
      expect(await find("l'été")).to.have.members(['l\'été "quoted"']);
      expect(await find("'")).to.have.members(['l\'été "quoted"']);
      expect(await find('"')).to.have.members(['l\'été "quoted"']);
      expect(await find('"quoted"')).to.have.members(['l\'été "quoted"']);
      expect(await find('*y?z[')).to.have.members(['x*y?z[w]']);
      expect(await find('?')).to.have.members(['x*y?z[w]']);
      expect(await find(';colon -- drop')).to.have.members(['semi;colon -- drop']);
      expect(await find('%_\\')).to.deep.equal([]);
    });

    it('When the term is an emoji or holds one, then it finds what contains it, and no other emoji', async () => {
      const find = await shelf([
        'Rocket 🚀 shop',
        'Star ⭐ shop',
        'Family 👩‍👩‍👧 app',
        'Flag 🇩🇪 site',
        'No picture',
      ]);
      expect(await find('🚀')).to.deep.equal(['Rocket 🚀 shop']);
      expect(await find('🚀 shop')).to.deep.equal(['Rocket 🚀 shop']);
      expect(await find('⭐')).to.deep.equal(['Star ⭐ shop']);
      expect(await find('👩‍👩‍👧')).to.deep.equal(['Family 👩‍👩‍👧 app']);
      expect(await find('🇩🇪')).to.deep.equal(['Flag 🇩🇪 site']);
      expect(await find('🛸')).to.deep.equal([]);
    });

    it('When the term has one or two characters, then it is found wherever it stands', async () => {
      const find = await shelf(['Xylophone', 'boxes', 'Bax', 'abc', 'ab c', 'a-b']);
      expect(await find('x')).to.have.members(['Xylophone', 'boxes', 'Bax']);
      expect(await find('ax')).to.deep.equal(['Bax']);
      expect(await find('ab')).to.have.members(['abc', 'ab c']);
      expect(await find('bc')).to.deep.equal(['abc']);
      expect(await find('b ')).to.have.members(await find('b'));
      expect(await find('b c')).to.deep.equal(['ab c']);
      expect(await find('-')).to.have.members(await find('---'));
      expect(await find('qq')).to.deep.equal([]);
    });

    it('When the letter case is another, then it is found all the same, in every script', async () => {
      const titles = ['ONLINE Shop', 'Привет Мир', 'ÉCOLE Straße', 'ΑΘΗΝΑ', '日本語サイト'];
      const find = await shelf(titles);
      for (const term of ['online shop', 'ONLINE SHOP', 'oNLiNe', 'ON', 'on'])
        expect(await find(term), term).to.deep.equal(['ONLINE Shop']);
      for (const term of ['привет', 'ПРИВЕТ', 'мир', 'П', 'п', 'ИР', 'вет М'])
        expect(await find(term), term).to.deep.equal(['Привет Мир']);
      for (const term of ['école', 'éCO', 'é', 'STRAßE'])
        expect(await find(term), term).to.deep.equal(['ÉCOLE Straße']);
      expect(await find('αθηνα')).to.deep.equal(['ΑΘΗΝΑ']);
      for (const term of ['日', '日本', '本語サ', 'サイト'])
        expect(await find(term), term).to.deep.equal(['日本語サイト']);
      expect(await find('ecole')).to.deep.equal([]);
    });

    it('When a term runs across words and signs, then the whole of it must be contained, in order', async () => {
      const find = await shelf(['Shop for bikes', 'bikes for Shop', 'Shop  for bikes', 'a.b.c', 'abc.abd']);
      expect(await find('shop for')).to.deep.equal(['Shop for bikes']);
      expect(await find('op f')).to.deep.equal(['Shop for bikes']);
      expect(await find('bikes shop')).to.deep.equal([]);
      expect(await find('a.b')).to.deep.equal(['a.b.c']);
      expect(await find('c.a')).to.deep.equal(['abc.abd']);
      expect(await find('abc.abd')).to.deep.equal(['abc.abd']);
      expect(await find('....')).to.deep.equal([]);
    });

    it('When blanks surround the term, then they do not count, however many', async () => {
      const word = uniqueWord();
      const id = await service().records.project({ ownerId, title: `Shop ${word}` });
      for (const term of [
        ` ${word}`,
        `${word} `,
        `\t ${word}\n`,
        `${' '.repeat(300)}${word}${' '.repeat(300)}`,
        `\u00a0${word}`,
      ])
        expect(idsOf(await search(term)), JSON.stringify(term)).to.deep.equal([id]);
    });

    it('When the term is empty or blank, then it filters nothing', async () => {
      const { total } = (await administrator().api.get('/projects')).body;
      expect(total).to.be.at.least(1);
      for (const term of ['', ' ', '   ', '\t\n']) expect((await search(term)).body.total).to.equal(total);
      expect((await administrator().api.get('/projects?search')).body.total).to.equal(total);
    });

    it('When the term has 255 characters, then it is searched for; with 256, then 400', async () => {
      for (const character of ['x', 'ж', '🚀']) {
        const title = character.repeat(255);
        const id = await service().records.project({ ownerId, title });
        expect(idsOf(await search(title))).to.deep.equal([id]);
        expect(idsOf(await search(`  ${title}  `))).to.deep.equal([id]);
        expectError(await search(`${title}${character}`), 400, 'VALIDATION_FAILED', '/query/search');
      }
    });

    it('When a blank is sent as + and a plus as %2B, then each finds itself', async () => {
      const word = uniqueWord();
      const blank = await service().records.project({ ownerId, title: `${word} b` });
      const plus = await service().records.project({ ownerId, title: `${word}+b` });
      const { get } = administrator().api;
      expect(idsOf(await get(`/projects?search=${word}+b`))).to.deep.equal([blank]);
      expect(idsOf(await get(`/projects?search=${word}%20b`))).to.deep.equal([blank]);
      expect(idsOf(await get(`/projects?search=${word}%2Bb`))).to.deep.equal([plus]);
    });

    it('When signs come as they are and not encoded, then they stand for themselves too', async () => {
      const word = uniqueWord();
      const id = await service().records.project({ ownerId, title: `${word}@(a:b/c,d;e!f$g'h*i)?=` });
      const answer = await administrator().api.get(`/projects?search=${word}@(a:b/c,d;e!f$g'h*i)?=`);
      expect(idsOf(answer), answer.text).to.deep.equal([id]);
    });

    it('When the term holds NUL or a broken percent sign, then 400 or nothing is found, and never a fault', async () => {
      const { get } = administrator().api;
      for (const term of ['%00', 'a%00b'])
        expectError(await get(`/projects?search=${term}`), 400, 'VALIDATION_FAILED', '/query/search');
      for (const term of ['%', '%zz', '%E0%A4%A', '%ED%A0%80', '%FF'])
        expect((await get(`/projects?search=${term}`)).status, term).to.be.oneOf([200, 400]);
    });

    it('When the term stands in the title, in the description or in both, then the project is found once', async () => {
      const { records } = service();
      const word = uniqueWord();
      const ids = [
        await records.project({ ownerId, title: `Title ${word}` }),
        await records.project({ ownerId, description: `Text with ${word.toUpperCase()} in it.` }),
        await records.project({ ownerId, title: word, description: word }),
      ];
      await records.project({ ownerId, title: word.slice(0, -1), description: word.slice(1) });
      const answer = await search(word);
      expect(idsOf(answer)).to.have.members(ids);
      expect(answer.body.total).to.equal(3);
    });
  });

for (const [plan, settings] of Object.entries(PLANS))
  describe(`The search for users ${plan}`, () => {
    const service = useSearch(settings);
    const administrator = useAdministrator(service);
    const search = (term: string, query: Record<string, string> = {}) =>
      administrator().api.get(withQuery('/users', { search: term, perPage: 100, ...query }));
    const found = async (term: string, word: string): Promise<string[]> => {
      const answer = await search(term);
      expect(answer.status, answer.text).to.equal(200);
      const emails = answer.body.data.map(({ email }: { email: string }) => email);
      return emails.filter((email: string) => email.includes(word)).sort();
    };

    it('When the term is a part of the e-mail, in any letter case, then the user is found', async () => {
      const word = uniqueWord();
      const email = `anna+tag_1%x.${word}@example.com`;
      await service().records.user([], { email });
      await service().records.user([], { email: `annaxtag-1-x.${word}@example.com` });
      for (const term of [
        email,
        email.toUpperCase(),
        'NNA+TAG',
        '_1%x',
        '_',
        '%',
        '+',
        'g_',
        '1%x.w',
        `%x.${word}`,
      ])
        expect(await found(term, word), term).to.deep.equal([email]);
      expect((await found('@', word)).length).to.equal(2);
      expect((await found('a', word)).length).to.equal(2);
      expect((await found(word.slice(3, 9), word)).length).to.equal(2);
    });

    it('When the term is a name or an id, then nothing is found: only the e-mail is searched', async () => {
      const word = uniqueWord();
      const { id } = await service().records.user(['CUSTOMER'], { firstName: word });
      for (const term of [word, id])
        expect((await search(term)).body).to.deep.include({ data: [], total: 0 });
    });

    it('When the term holds quotes, backslashes, emoji or other letters, then the answer is sound', async () => {
      for (const term of [
        "'",
        "' or 1=1 --",
        '"',
        '\\',
        '\\\\',
        '🚀',
        'ж',
        'жук',
        '日本',
        '%\\',
        '\\%',
        'a\\',
        '{}',
        '()',
        '|&!',
      ])
        expect((await search(term)).body.data, term).to.deep.equal([]);
    });

    it('When the term has 255 characters, then it is searched for; with 256, then 400', async () => {
      expect((await search('y'.repeat(255))).status).to.equal(200);
      expect((await search(` ${'y'.repeat(255)} `)).status).to.equal(200);
      expectError(await search('y'.repeat(256)), 400, 'VALIDATION_FAILED', '/query/search');
    });

    it('When the term is empty, then it filters nothing', async () => {
      const { total } = (await administrator().api.get('/users')).body;
      for (const term of ['', '  ']) expect((await search(term)).body.total).to.equal(total);
    });
  });
