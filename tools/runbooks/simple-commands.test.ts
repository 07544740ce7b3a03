import { expect } from 'chai';
import { parseScript } from './simple-commands.ts';

const commandsOf = (text: string) => parseScript(text).commands;

describe('simple commands of a script', () => {
  it('are separated by lists, pipes and newlines, without comments', () => {
    expect(commandsOf('a 1 | b && c; d & # e\nf # g\n')).to.deep.equal([
      ['a', '1'],
      ['b'],
      ['c'],
      ['d'],
      ['f'],
    ]);
  });

  it('have words without quotes, and continue after a backslash', () => {
    expect(commandsOf(`a 'b; c' "d | e" f\\ g \\\n  h`)).to.deep.equal([['a', 'b; c', 'd | e', 'f g', 'h']]);
  });

  it('include those of command substitutions, also in double quotes', () => {
    expect(commandsOf('a "$(b "$(c)" d)" $e')).to.deep.equal([
      ['c'],
      ['b', '$(c)', 'd'],
      ['a', '$(b "$(c)" d)', '$e'],
    ]);
  });

  it('follow assignments, reserved words and function heads', () => {
    const text = 'X=1 a\nuntil b; do c; done\nf() {\n  d | e\n}\nif ! g; then h; fi';
    expect(commandsOf(text)).to.deep.equal([
      ['a'],
      ['b'],
      ['c'],
      ['done'],
      ['f'],
      ['d'],
      ['e'],
      ['g'],
      ['h'],
      ['fi'],
    ]);
  });

  it('have no redirections', () => {
    expect(commandsOf('a > b 2>&1 < c 2> /dev/null d')).to.deep.equal([['a', 'd']]);
  });

  it('do not include here-documents, which are returned', () => {
    expect(parseScript("a <<X b\nc; d\nX\ne <<'Y'\nf\nY\n")).to.deep.equal({
      commands: [['a', 'b'], ['e']],
      documents: ['c; d\n', 'f\n'],
    });
  });
});
