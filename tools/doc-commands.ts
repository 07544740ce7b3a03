/** A fenced code block: "```sh compose" has the language `sh` and the attribute `compose`. */
type DocBlock = { line: number; language: string; attribute: string; lines: string[] };

/** A command of a documentation page with its documented output. */
export type DocCommand = {
  line: number;
  command: string;
  output: string;
  /** A program that may not be installed, named in the fence: "console needs pg_dump 18". */
  needs: string | undefined;
};

const FENCE = /^```(\w*) *(.*)$/;

/** All fenced code blocks. `line` is the number of the first line inside the block. */
export const readDocBlocks = (page: string): DocBlock[] => {
  const blocks: DocBlock[] = [];
  let open: DocBlock | undefined;
  for (const [index, text] of page.split('\n').entries()) {
    const [, language = '', attribute = ''] = FENCE.exec(text) ?? [];
    if (!text.startsWith('```')) open?.lines.push(text);
    else if (open) {
      blocks.push(open);
      open = undefined;
    } else open = { line: index + 2, language, attribute, lines: [] };
  }
  return blocks;
};

/** "$ " starts a command, "> " continues it, other lines are its output. */
const readBlockCommands = ({ line, attribute, lines }: DocBlock): DocCommand[] => {
  const needs = /^needs (.+)$/.exec(attribute)?.[1];
  const commands: { line: number; command: string[]; output: string[] }[] = [];
  for (const [index, text] of lines.entries()) {
    const current = commands.at(-1);
    if (text.startsWith('$ ')) commands.push({ line: line + index, command: [text.slice(2)], output: [] });
    else if (text.startsWith('> ') && current?.output.length === 0) current.command.push(text.slice(2));
    else current?.output.push(text);
  }
  return commands.map(({ command, output, ...rest }) => ({
    ...rest,
    command: command.join('\n'),
    output: output.join('\n').trimEnd(),
    needs,
  }));
};

/** The commands of all ```console blocks. */
export const readDocCommands = (page: string): DocCommand[] =>
  readDocBlocks(page)
    .filter(({ language }) => language === 'console')
    .flatMap(readBlockCommands);

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * In the expected output, `…` matches any text within a line, and any number of lines if it is alone on a
 * line.
 */
export const matchesOutput = (expected: string, actual: string): boolean => {
  const lines = expected
    .split('\n')
    .map((line) =>
      line.trim() === '…' ? '(?:.*\\n)*' : `${line.split('…').map(escapeRegExp).join('.*')}\\n`,
    );
  return new RegExp(`^${lines.join('')}$`).test(`${actual.trimEnd()}\n`);
};
