import type { Operation } from './contract.ts';
import type { Draft } from './draft.ts';
import type { World } from './fixture.ts';
import { BODY_CODING_MUTATIONS } from './mutations/body-coding.ts';
import { BODY_TEXT_MUTATIONS } from './mutations/body-text.ts';
import { BODY_VALUE_MUTATIONS } from './mutations/body-values.ts';
import { HEADER_MUTATIONS } from './mutations/headers.ts';
import type { Mutations } from './mutations/mutation.ts';
import { PATH_MUTATIONS } from './mutations/path.ts';
import { QUERY_MUTATIONS } from './mutations/query.ts';
import type { Random } from './random.ts';
import { createValidRequest, replaceToken } from './valid-request.ts';

/** How large a part of the requests is left as the contract allows it. */
const VALID_SHARE = 0.35;
const OTHER_TOKEN_SHARE = 0.15;
const MOST_MUTATIONS = 3;

/** Those of a body come in the order of its making: values, text, packing. */
const ON_BODIES: readonly Mutations[] = [BODY_VALUE_MUTATIONS, BODY_TEXT_MUTATIONS, BODY_CODING_MUTATIONS];
const ON_THE_REST: readonly Mutations[] = [QUERY_MUTATIONS, PATH_MUTATIONS, HEADER_MUTATIONS];

const apply = (draft: Draft, mutations: Mutations, random: Random): void => {
  const [name, mutate] = random.pick(Object.entries(mutations));
  if (mutate(draft, random)) draft.mutations.push(name);
};

const mutate = (draft: Draft, random: Random): void => {
  const count = random.int(1, MOST_MUTATIONS);
  for (let tries = 0; draft.mutations.length < count && tries < 10; tries += 1) {
    const isOnBody = draft.json === undefined ? random.chance(0.15) : random.chance(0.65);
    if (isOnBody) apply(draft, random.pick(ON_BODIES), random);
    else apply(draft, random.pick(ON_THE_REST), random);
  }
};

/** The next request: valid or not, with the right token or not. */
export const generateRequest = async (
  operations: readonly Operation[],
  random: Random,
  world: World,
): Promise<Draft> => {
  const draft = await createValidRequest(random.pick(operations), random, world);
  if (random.chance(OTHER_TOKEN_SHARE)) replaceToken(draft, random, world);
  if (!random.chance(VALID_SHARE)) mutate(draft, random);
  return draft;
};
