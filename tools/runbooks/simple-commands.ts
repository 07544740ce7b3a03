/** The simple commands of a shell script, and its here-documents. Expansions stay as they are written. */
type Script = { commands: string[][]; documents: string[] };

type State = Script & {
  text: string;
  index: number;
  /** Of the current command. */
  words: string[];
  word: string | undefined;
  /** The next word is the target of a redirection. */
  isTarget: boolean;
  /** Of the here-documents that start in the next line. */
  delimiters: string[];
};

/** Reserved words before a command. */
const RESERVED = new Set(['!', '{', '}', 'if', 'then', 'elif', 'else', 'do', 'until', 'while', 'time']);
const ASSIGNMENT = /^\w+=/;

const add = (state: State, text: string): void => {
  state.word = `${state.word ?? ''}${text}`;
};

const endWord = (state: State): void => {
  if (state.word === undefined) return;
  if (!state.isTarget) state.words.push(state.word);
  state.isTarget = false;
  state.word = undefined;
};

const endCommand = (state: State): void => {
  endWord(state);
  const start = state.words.findIndex((word) => !(RESERVED.has(word) || ASSIGNMENT.test(word)));
  if (start >= 0) state.commands.push(state.words.slice(start));
  state.words = [];
};

const PIECE = /\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[(){}]|[^\\'"(){}]+/y;

/** The index after the bracket that closes the one at `start`. */
const findEnd = (text: string, start: number): number => {
  let depth = 0;
  PIECE.lastIndex = start;
  for (let match = PIECE.exec(text); match; match = PIECE.exec(text)) {
    const [piece] = match;
    if (piece === '(' || piece === '{') depth += 1;
    if (piece === ')' || piece === '}') depth -= 1;
    if (depth === 0) return PIECE.lastIndex;
  }
  return text.length;
};

/** At a `$`: a command substitution, a parameter in braces, or the start of its name. */
const addExpansion = (state: State): void => {
  const { text, index } = state;
  const bracket = text[index + 1] ?? '';
  const end = '({'.includes(bracket) ? findEnd(text, index + 1) : index + 1;
  if (bracket === '(') {
    const { commands, documents } = parseScript(text.slice(index + 2, end - 1));
    state.commands.push(...commands);
    state.documents.push(...documents);
  }
  add(state, text.slice(index, end));
  state.index = end;
};

const addDoubleQuoted = (state: State): void => {
  add(state, '');
  while (state.index < state.text.length && state.text[state.index] !== '"') {
    if (state.text[state.index] === '$') addExpansion(state);
    else {
      if (state.text[state.index] === '\\') state.index += 1;
      add(state, state.text[state.index] ?? '');
      state.index += 1;
    }
  }
  state.index += 1;
};

const startRedirection = (state: State, delimiter: string | undefined): void => {
  if (/^\d*$/.test(state.word ?? '')) state.word = undefined; // the number of the file
  endWord(state);
  if (delimiter === undefined) state.isTarget = true;
  else state.delimiters.push(delimiter);
};

const endLine = (state: State): void => {
  endCommand(state);
  for (const delimiter of state.delimiters.splice(0)) {
    const { text, index } = state;
    const end = text.indexOf(`\n${delimiter}\n`, index - 1);
    state.documents.push(text.slice(index, end < 0 ? undefined : end + 1));
    state.index = end < 0 ? text.length : end + delimiter.length + 2;
  }
};

const startComment = (state: State): void => {
  if (state.word !== undefined) add(state, '#');
  else {
    const end = state.text.indexOf('\n', state.index);
    state.index = end < 0 ? state.text.length : end;
  }
};

type Rule = readonly [RegExp, (state: State, match: string, group: string | undefined) => void];

/** What the runbooks use of the language; the first rule that matches applies, after its match was skipped. */
const RULES: readonly Rule[] = [
  [/\\\n/y, () => undefined],
  [/\\([\s\S])/y, (state, _match, char) => add(state, char ?? '')],
  [/'([^']*)'/y, (state, _match, text) => add(state, text ?? '')],
  [/"/y, addDoubleQuoted],
  [/(?=\$)/y, addExpansion],
  [/#/y, startComment],
  [/<<<|<<-?\s*['"]?(\w+)['"]?|[<>]+&?/y, (state, _match, delimiter) => startRedirection(state, delimiter)],
  [/\n/y, endLine],
  [/[;|&()]/y, endCommand],
  [/\s+/y, endWord],
  [/[^\\'"$#<>;|&()\s]+/y, add],
];

const applyRule = (state: State): void => {
  for (const [pattern, apply] of RULES) {
    pattern.lastIndex = state.index;
    const match = pattern.exec(state.text);
    if (!match) continue;
    state.index = pattern.lastIndex;
    apply(state, match[0], match[1]);
    return;
  }
};

export const parseScript = (text: string): Script => {
  const commands: string[][] = [];
  const documents: string[] = [];
  const state: State = {
    commands,
    documents,
    text,
    index: 0,
    words: [],
    word: undefined,
    isTarget: false,
    delimiters: [],
  };
  while (state.index < text.length) applyRule(state);
  endCommand(state);
  return { commands, documents };
};
