/** A command of a page, and what the page says that it prints. */
export type ConsoleCommand = {
  line: number;
  command: string;
  output: string;
  /** A program that this machine may lack, as the fence names it: "console needs pg_dump 18". */
  needs: string | undefined;
};

const FENCE = /^```(\w*) *(?:needs (.+))?$/;

/**
 * The commands of every ```console block: "$ " begins one, "> " goes on with it, what follows is its output.
 */
export const readConsoleCommands = (page: string): ConsoleCommand[] => {
  const commands: ConsoleCommand[] = [];
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

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** In the expected output … stands for anything within a line, and alone on a line for any number of lines. */
export const matchesOutput = (expected: string, actual: string): boolean => {
  const lines = expected
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*' : `${line.split('…').map(literally).join('.*')}\\n`));
  return new RegExp(`^${lines.join('')}$`).test(`${actual.trimEnd()}\n`);
};
