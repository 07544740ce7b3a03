import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, useAdminService } from '../../testing/admin-service.ts';

describe('project search', () => {
  // Each test uses another category, so that searches for single characters find only its own rows.
  const categories = ['WEB', 'MOBILE', 'DESIGN', 'MARKETING', 'DATA', 'DEVOPS', 'CONSULTING', 'OTHER'];
  const service = useAdminService();
  const administrator = () => service().administrator;
  let ownerId: string;
  before(async () => {
    ownerId = (await service().records.user(['CUSTOMER'])).id;
  });
  const search = (term: string, query: Record<string, string> = {}) =>
    administrator().listProjects({ query: { search: term, perPage: 100, ...query } });

  /**
   * Creates projects with these titles in an unused category. The returned function searches that category
   * and returns titles.
   */
  const createProjects = async (titles: readonly string[]) => {
    const category = categories.pop();
    if (category === undefined) throw new Error('Every category is in use');
    const byId = new Map<string, string>();
    for (const title of titles)
      byId.set(await service().records.project({ ownerId, category, title, description: '---' }), title);
    return async (term: string): Promise<string[]> => {
      const response = await search(term, { category });
      expect(response.status, response.text).to.equal(200);
      const ids = getIds(response);
      expect(response.body.total, `total for ${term}`).to.equal(ids.length);
      return ids.map((id) => byId.get(id) ?? 'another');
    };
  };

  it('matches SQL pattern characters literally', async () => {
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
    const find = await createProjects(titles);
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

  it('matches emoji', async () => {
    const find = await createProjects([
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

  it('matches terms of one or two characters at any position', async () => {
    const find = await createProjects(['Xylophone', 'boxes', 'Bax', 'abc', 'ab c', 'a-b']);
    expect(await find('x')).to.have.members(['Xylophone', 'boxes', 'Bax']);
    expect(await find('ax')).to.deep.equal(['Bax']);
    expect(await find('ab')).to.have.members(['abc', 'ab c']);
    expect(await find('bc')).to.deep.equal(['abc']);
    expect(await find('b ')).to.have.members(await find('b'));
    expect(await find('b c')).to.deep.equal(['ab c']);
    expect(await find('-')).to.have.members(await find('---'));
    expect(await find('qq')).to.deep.equal([]);
  });

  it('ignores case in every script', async () => {
    const titles = ['ONLINE Shop', 'Привет Мир', 'ÉCOLE Straße', 'ΑΘΗΝΑ', '日本語サイト'];
    const find = await createProjects(titles);
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

  it('matches terms across words and punctuation as a whole', async () => {
    const find = await createProjects([
      'Shop for bikes',
      'bikes for Shop',
      'Shop  for bikes',
      'a.b.c',
      'abc.abd',
    ]);
    expect(await find('shop for')).to.deep.equal(['Shop for bikes']);
    expect(await find('op f')).to.deep.equal(['Shop for bikes']);
    expect(await find('bikes shop')).to.deep.equal([]);
    expect(await find('a.b')).to.deep.equal(['a.b.c']);
    expect(await find('c.a')).to.deep.equal(['abc.abd']);
    expect(await find('abc.abd')).to.deep.equal(['abc.abd']);
    expect(await find('....')).to.deep.equal([]);
  });

  it('trims any white space around the term', async () => {
    const word = uniqueWord();
    const id = await service().records.project({ ownerId, title: `Shop ${word}` });
    for (const term of [
      ` ${word}`,
      `${word} `,
      `\t ${word}\n`,
      `${' '.repeat(300)}${word}${' '.repeat(300)}`,
      `\u00a0${word}`,
    ])
      expect(getIds(await search(term)), JSON.stringify(term)).to.deep.equal([id]);
  });

  it('does not filter by an empty or blank term', async () => {
    const { total } = (await administrator().listProjects()).body;
    expect(total).to.be.at.least(1);
    for (const term of ['', ' ', '   ', '\t\n']) expect((await search(term)).body.total).to.equal(total);
    expect((await administrator().send('GET', '/projects?search')).body.total).to.equal(total);
  });

  it('accepts 255 characters and returns 400 for 256', async () => {
    for (const character of ['x', 'ж', '🚀']) {
      const title = character.repeat(255);
      const id = await service().records.project({ ownerId, title });
      expect(getIds(await search(title))).to.deep.equal([id]);
      expect(getIds(await search(`  ${title}  `))).to.deep.equal([id]);
      expectError(await search(`${title}${character}`), 400, 'VALIDATION_FAILED', '/query/search');
    }
  });

  it('decodes + as a space and %2B as a plus', async () => {
    const word = uniqueWord();
    const blank = await service().records.project({ ownerId, title: `${word} b` });
    const plus = await service().records.project({ ownerId, title: `${word}+b` });
    const { send } = administrator();
    expect(getIds(await send('GET', `/projects?search=${word}+b`))).to.deep.equal([blank]);
    expect(getIds(await send('GET', `/projects?search=${word}%20b`))).to.deep.equal([blank]);
    expect(getIds(await send('GET', `/projects?search=${word}%2Bb`))).to.deep.equal([plus]);
  });

  it('accepts reserved characters without percent-encoding', async () => {
    const word = uniqueWord();
    const id = await service().records.project({ ownerId, title: `${word}@(a:b/c,d;e!f$g'h*i)?=` });
    const response = await administrator().send('GET', `/projects?search=${word}@(a:b/c,d;e!f$g'h*i)?=`);
    expect(getIds(response), response.text).to.deep.equal([id]);
  });

  it('returns 400 for NUL, and for a term that is not UTF-8', async () => {
    const { send } = administrator();
    for (const term of ['%00', 'a%00b', '%', '%zz', '%E0%A4%A', '%ED%A0%80', '%FF'])
      expectError(await send('GET', `/projects?search=${term}`), 400, 'VALIDATION_FAILED', '/query/search');
  });

  it('finds a project once by title, description or both', async () => {
    const { records } = service();
    const word = uniqueWord();
    const ids = [
      await records.project({ ownerId, title: `Title ${word}` }),
      await records.project({ ownerId, description: `Text with ${word.toUpperCase()} in it.` }),
      await records.project({ ownerId, title: word, description: word }),
    ];
    await records.project({ ownerId, title: word.slice(0, -1), description: word.slice(1) });
    const response = await search(word);
    expect(getIds(response)).to.have.members(ids);
    expect(response.body.total).to.equal(3);
  });
});

describe('user search', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const search = (term: string, query: Record<string, string> = {}) =>
    administrator().listUsers({ query: { search: term, perPage: 100, ...query } });
  const findEmails = async (term: string, word: string): Promise<string[]> => {
    const response = await search(term);
    expect(response.status, response.text).to.equal(200);
    const emails = response.body.data.map(({ email }: { email: string }) => email);
    return emails.filter((email: string) => email.includes(word)).sort();
  };

  it('finds users by a part of the e-mail address, ignoring case', async () => {
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
      expect(await findEmails(term, word), term).to.deep.equal([email]);
    expect((await findEmails('@', word)).length).to.equal(2);
    expect((await findEmails('a', word)).length).to.equal(2);
    expect((await findEmails(word.slice(3, 9), word)).length).to.equal(2);
  });

  it('does not search names and ids', async () => {
    const word = uniqueWord();
    const { id } = await service().records.user(['CUSTOMER'], { firstName: word });
    for (const term of [word, id]) expect((await search(term)).body).to.deep.include({ data: [], total: 0 });
  });

  it('returns no users for quotes, backslashes, emoji and other scripts', async () => {
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

  it('accepts 255 characters and returns 400 for 256', async () => {
    expect((await search('y'.repeat(255))).status).to.equal(200);
    expect((await search(` ${'y'.repeat(255)} `)).status).to.equal(200);
    expectError(await search('y'.repeat(256)), 400, 'VALIDATION_FAILED', '/query/search');
  });

  it('does not filter by an empty term', async () => {
    const { total } = (await administrator().listUsers()).body;
    for (const term of ['', '  ']) expect((await search(term)).body.total).to.equal(total);
  });
});
