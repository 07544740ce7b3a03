/** A command of a documentation page with its documented output. */
export type DocCommand = {
  line: number;
  command: string;
  output: string;
  /** A program that may not be installed, named in the fence: "console needs pg_dump 18". */
  needs: string | undefined;
};

const FENCE = /^```(\w*) *(?:needs (.+))?$/;

/** The commands of all ```console blocks: "$ " starts a command, "> " continues it, other lines are its output. */
export const readDocCommands = (page: string): DocCommand[] => {
  const commands: DocCommand[] = [];
  let fence: { isConsole: boolean; needs: string | undefined } | undefined;
  let current: { command: string[]; output: string[]; line: number } | undefined;
  const finish = () => {
    if (current)
      commands.push({
        line: current.line,
        command: current.command.join('\n'),
        output: current.output.join('\n').trimEnd(),
        needs: fence?.needs,
      });
    current = undefined;
  };
  for (const [index, text] of page.split('\n').entries()) {
    const opening = FENCE.exec(text);
    if (opening) {
      finish();
      fence = fence ? undefined : { isConsole: opening[1] === 'console', needs: opening[2] };
    } else if (!fence?.isConsole) continue;
    else if (text.startsWith('$ ')) {
      finish();
      current = { command: [text.slice(2)], output: [], line: index + 1 };
    } else if (text.startsWith('> ') && current?.output.length === 0) current.command.push(text.slice(2));
    else current?.output.push(text);
  }
  return commands;
};

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** In the expected output, … matches any text within a line, and alone on a line any number of lines. */
export const matchesOutput = (expected: string, actual: string): boolean => {
  const lines = expected
    .split('\n')
    .map((line) =>
      line.trim() === '…' ? '(?:.*\\n)*' : `${line.split('…').map(escapeRegExp).join('.*')}\\n`,
    );
  return new RegExp(`^${lines.join('')}$`).test(`${actual.trimEnd()}\n`);
};
