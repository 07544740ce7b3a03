import { expect } from 'chai';
import ajvFactory from 'express-openapi-validator/dist/framework/ajv/factory.js';
import './openapi-validator-adapter.ts';

const validate = (schema: object, text: unknown): { text: unknown; rules: string[] } => {
  const ajv = ajvFactory.factoryAjv('3.1.0', { strict: false, allErrors: true });
  const check = ajv.compile({ properties: { text: { type: 'string', ...schema } } });
  const value = { text };
  check(value);
  return { ...value, rules: (check.errors ?? []).map(({ keyword }) => keyword) };
};

describe('schema extensions', () => {
  it('x-max-bytes limits the bytes of UTF-8', () => {
    expect(validate({ 'x-max-bytes': 4 }, 'абв').rules).to.deep.equal(['max-bytes']);
    expect(validate({ 'x-max-bytes': 4 }, 'аб').rules).to.deep.equal([]);
  });

  it('x-trim removes the white space around a text before its length is checked', () => {
    const schema = { 'x-trim': true, maxLength: 2 };
    expect(validate(schema, '  🚀🚀\t')).to.deep.equal({ text: '🚀🚀', rules: [] });
    expect(validate(schema, 'a b').rules).to.deep.equal(['maxLength']);
  });

  it('x-trim and x-text bring a text into the form NFC before its length is checked', () => {
    for (const keyword of [
      { 'x-trim': true },
      { 'x-text': 'one-line' },
      { 'x-trim': true, 'x-text': 'multi-line' },
    ]) {
      const schema = { ...keyword, maxLength: 1 };
      expect(validate(schema, 'e\u0301')).to.deep.equal({ text: '\u00e9', rules: [] });
      expect(validate(schema, 'e\u0301e').rules).to.deep.equal(['maxLength']);
    }
  });

  it('x-text tidies a text before it is judged, except by minLength, which x-trim lets count the result', () => {
    const spaces = ' \u0085\u00a0\u2028\u3000\n';
    const line = { 'x-text': 'one-line', minLength: 3, maxLength: 3 };
    expect(validate(line, `${spaces}a\u200b\u00ad\u2060b${spaces}`)).to.deep.equal({ text: 'ab', rules: [] });
    expect(validate({ ...line, 'x-trim': true }, ' ab ').rules).to.deep.equal(['minLength']);
    expect(validate(line, 'ab').rules).to.deep.equal(['minLength']);
    // Joiners and variation selectors belong to the character before them.
    for (const kept of ['👩\u200d🚀', '❤\ufe0f', 'क\u094d\u200dष'])
      expect(validate({ 'x-text': 'one-line' }, kept).text).to.equal(kept);
    const lines = `${spaces}a\u00ad\n\n b${spaces}`;
    expect(validate({ 'x-text': 'multi-line' }, lines).text).to.equal('a\u00ad\n\n b');
    const long = `a${' '.repeat(100_000)}b`;
    const start = process.cpuUsage().user;
    expect(validate({ 'x-text': 'multi-line' }, long).text).to.equal(long);
    expect(process.cpuUsage().user - start, 'microseconds').to.be.below(2_000_000);
  });

  it('x-lower-case changes the letter case of an id, so that its texts can be compared', () => {
    expect(validate({ 'x-lower-case': true }, '8E0F6A52-7c1d')).to.deep.equal({
      text: '8e0f6a52-7c1d',
      rules: [],
    });
  });

  it('x-digits restores the leading zeros of a number', () => {
    const schema = { type: ['string', 'integer'], 'x-digits': 6, pattern: '^\\d{6}$' };
    for (const [given, text] of [
      [660, '000660'],
      [0, '000000'],
      [123456, '123456'],
    ])
      expect(validate(schema, given)).to.deep.equal({ text, rules: [] });
    for (const given of [-660, 1234567, '660']) expect(validate(schema, given).rules).to.include('pattern');
  });

  it('x-text requires a character that draws something, in all of Unicode', () => {
    for (const blank of [
      '',
      ' ',
      '\t\r\n',
      '\u0000\u007f\u0085',
      '\u00a0\u3000',
      '\u200b\u200d\u2060\ufeff',
      '\u00ad\u034f\u2800\u3164',
      '\u202e',
      '\ufe0f\ufff0\ufffb\uffff',
      '\u{1d173}\u{1fffe}\u{e0001}\u{e0020}\u{e0100}',
      // Combining marks alone, a null note, a placeholder, private use, unassigned, blank hieroglyphs
      '\u0335\u0301\u093e',
      '\u{1d159}\ufffc\ue000\u0378\u{13441}\u{13442}',
    ])
      expect(validate({ 'x-text': 'multi-line' }, blank).rules, JSON.stringify(blank)).to.deep.equal([
        'blank',
      ]);
    for (const visible of [
      '.',
      ' x ',
      'ß',
      'عربي',
      '日本',
      '한',
      '👩‍🚀',
      '😀',
      '+',
      'e\u0301',
      'क्‍ष',
      '\u200fא',
    ])
      expect(validate({ 'x-text': 'one-line' }, visible).rules, visible).to.deep.equal([]);
  });

  it('x-text rejects characters that change the direction of the text around them', () => {
    for (const character of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
      for (const kind of ['one-line', 'multi-line'])
        expect(validate({ 'x-text': kind }, `a${character}b`).rules, JSON.stringify(character)).to.deep.equal(
          ['control-character'],
        );
  });

  it('x-text rejects line breaks and other control characters in one line', () => {
    for (const character of '\n\r\t\u0000\u001b\u007f\u0085\u009f') {
      const text = `a${character}b`;
      expect(validate({ 'x-text': 'one-line' }, text).rules, JSON.stringify(text)).to.deep.equal([
        'control-character',
      ]);
      expect(validate({ 'x-text': 'multi-line' }, text).rules, JSON.stringify(text)).to.deep.equal([]);
    }
  });
});
