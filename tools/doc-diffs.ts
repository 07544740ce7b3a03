/** A code block that names its file: ```diff path or ```ts path. */
type DocBlock = { step: number; kind: 'diff' | 'file'; path: string; lines: string[] };

/** The blocks with a path, each with the number of its step ("**3. Write …"). */
export const readDocBlocks = (page: string): DocBlock[] => {
  const blocks: DocBlock[] = [];
  let step = 0;
  let current: DocBlock | undefined;
  for (const line of page.split('\n')) {
    const fence = /^```(?:(diff|ts) (\S+))?$/.exec(line);
    if (current && line === '```') {
      blocks.push(current);
      current = undefined;
    } else if (current) current.lines.push(line);
    else if (fence?.[2])
      current = { step, kind: fence[1] === 'diff' ? 'diff' : 'file', path: fence[2], lines: [] };
    else step = Number(/^\*\*(\d)\. /.exec(line)?.[1] ?? step);
  }
  return blocks;
};

/** @throws Error unless the text contains the lines before the change exactly once */
export const applyDiff = (text: string, { path, lines }: DocBlock): string => {
  const selectLines = (prefixes: string) =>
    lines
      .filter((line) => prefixes.includes(line[0] ?? ' '))
      .map((line) => line.slice(1))
      .join('\n');
  const [before, after] = [selectLines(' -'), selectLines(' +')];
  const count = text.split(before).length - 1;
  if (count !== 1) throw new Error(`${path} contains these lines ${count} times instead of once:\n${before}`);
  return text.replace(before, () => after);
};
