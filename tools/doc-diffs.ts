/** A block of a page that names the file it is about: ```diff path or ```ts path. */
export type PageBlock = { step: number; kind: 'diff' | 'file'; path: string; lines: string[] };

/** The named blocks, each with the number of the step ("**3. Write …") that it stands in. */
export const readPageBlocks = (page: string): PageBlock[] => {
  const blocks: PageBlock[] = [];
  let step = 0;
  let current: PageBlock | undefined;
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

/** @throws Error when the text does not have what the block begins from, once */
export const applyDiff = (text: string, { path, lines }: PageBlock): string => {
  const side = (marks: string) =>
    lines
      .filter((line) => marks.includes(line[0] ?? ' '))
      .map((line) => line.slice(1))
      .join('\n');
  const [before, after] = [side(' -'), side(' +')];
  const count = text.split(before).length - 1;
  if (count !== 1) throw new Error(`${path} has these lines ${count} times, not once:\n${before}`);
  return text.replace(before, () => after);
};
