import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';

/** One `FROM … AS …` with its instructions. */
type Stage = { name: string; from: string; instructions: { keyword: string; rest: string }[] };

const FILE = resolve(import.meta.dirname, '../../Dockerfile');

/** The instruction with its flags, in one line. */
const parseInstruction = (instruction: Instruction, lines: readonly string[]) => {
  const { start, end } = instruction.getRange();
  const text = lines.slice(start.line, end.line + 1).join('\n');
  const [keyword = '', ...rest] = text.replace(/\\\n/g, ' ').split(/\s+/);
  return { keyword, rest: rest.join(' ') };
};

/** The external base image, without and with its digest. */
export const readBaseImage = (): { reference: string; pinned: string } => {
  const [, pinned = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(FILE, 'utf8')) ?? [];
  const [reference = ''] = pinned.split('@');
  return { reference, pinned };
};

export const readStages = (): Stage[] => {
  const stages: Stage[] = [];
  const text = readFileSync(FILE, 'utf8');
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const { keyword, rest } = parseInstruction(instruction, text.split('\n'));
    const [from = '', , name = ''] = rest.split(/\s+/);
    if (keyword === 'FROM') stages.push({ name, from, instructions: [] });
    else stages.at(-1)?.instructions.push({ keyword, rest });
  }
  return stages;
};

/** The stages that `name` is based on and the stage itself, last. */
export const getStageChain = (stages: readonly Stage[], name: string): Stage[] => {
  const stage = stages.find((each) => each.name === name);
  return stage ? [...getStageChain(stages, stage.from), stage] : [];
};

/** The arguments of the last instruction with that keyword, which overrides earlier ones. */
export const getLastInstruction = (chain: readonly Stage[], keyword: string): string | undefined =>
  chain.flatMap(({ instructions }) => instructions).findLast((each) => each.keyword === keyword)?.rest;
