import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';

/** One `FROM … AS …` and what follows it. */
export type Stage = { name: string; from: string; instructions: { keyword: string; rest: string }[] };

const FILE = resolve(import.meta.dirname, '../../Dockerfile');

/** With its flags, in one line. */
const toEntry = (instruction: Instruction, lines: readonly string[]) => {
  const { start, end } = instruction.getRange();
  const text = lines.slice(start.line, end.line + 1).join('\n');
  const [keyword = '', ...rest] = text.replace(/\\\n/g, ' ').split(/\s+/);
  return { keyword, rest: rest.join(' ') };
};

export const readStages = (): Stage[] => {
  const stages: Stage[] = [];
  const text = readFileSync(FILE, 'utf8');
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const { keyword, rest } = toEntry(instruction, text.split('\n'));
    const [from = '', , name = ''] = rest.split(/\s+/);
    if (keyword === 'FROM') stages.push({ name, from, instructions: [] });
    else stages.at(-1)?.instructions.push({ keyword, rest });
  }
  return stages;
};

/** The stages that `name` is made of, itself last: a later instruction replaces an earlier one. */
export const lineageOf = (stages: readonly Stage[], name: string): Stage[] => {
  const stage = stages.find((each) => each.name === name);
  return stage ? [...lineageOf(stages, stage.from), stage] : [];
};

/** What the last instruction of that kind says; undefined where there is none. */
export const lastOf = (lineage: readonly Stage[], keyword: string): string | undefined =>
  lineage.flatMap(({ instructions }) => instructions).findLast((each) => each.keyword === keyword)?.rest;
