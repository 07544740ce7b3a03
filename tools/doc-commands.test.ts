import { expect } from 'chai';
import { matchesOutput, readDocCommands } from './doc-commands.ts';

const PAGE = `# Page

\`\`\`console
$ echo one; echo two
one
two
$ cat <<'TEXT'
> a
> TEXT
a
$ true
\`\`\`

\`\`\`sh
$ not-run
\`\`\`

\`\`\`console needs pg_dump 18
$ pg_dump
\`\`\`
`;

describe('documentation commands', () => {
  it('are read from console blocks with line, output and required program', () => {
    expect(readDocCommands(PAGE)).to.deep.equal([
      { line: 4, command: 'echo one; echo two', output: 'one\ntwo', needs: undefined },
      { line: 7, command: "cat <<'TEXT'\na\nTEXT", output: 'a', needs: undefined },
      { line: 11, command: 'true', output: '', needs: undefined },
      { line: 19, command: 'pg_dump', output: '', needs: 'pg_dump 18' },
    ]);
  });

  it('match their documented output, in which … is a wildcard', () => {
    expect(matchesOutput('', '')).to.equal(true);
    expect(matchesOutput('a\nb', 'a\nb\n')).to.equal(true);
    expect(matchesOutput('id … (1 row)', 'id 7f3a (1 row)')).to.equal(true);
    expect(matchesOutput('first\n…\nlast', 'first\n1\n2\nlast')).to.equal(true);
    expect(matchesOutput('first\n…\nlast', 'first\nlast')).to.equal(true);
    expect(matchesOutput('…', '')).to.equal(true);
  });

  it('do not match a different output', () => {
    expect(matchesOutput('', 'error')).to.equal(false);
    expect(matchesOutput('a', '')).to.equal(false);
    expect(matchesOutput('a', 'a\nb')).to.equal(false);
    expect(matchesOutput('a.c', 'abc')).to.equal(false);
    expect(matchesOutput('a … c', 'a \n c')).to.equal(false);
  });
});
