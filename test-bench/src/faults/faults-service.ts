import { randomUUID } from 'node:crypto';
import type { OperationFinder } from '@platform/gateway/limits/operation-limits';
import { notFound, validationFailed } from '@platform/shared/errors/app-error';

export type FaultResponse = { status: number; code: string; retryAfter?: number | undefined };
export type FaultAnswer = FaultResponse | 'lost-before' | 'lost-after';

type NewFault = {
  label: string;
  /** An operationId; undefined for every operation. */
  operation?: string | undefined;
  /** Undefined for any number. */
  times?: number | undefined;
  answer: FaultAnswer;
};
type Fault = Omit<NewFault, 'times'> & { id: string; left: number; hits: number; requestIds: string[] };

/** The operations of the platform. */
export type Operations = { find: OperationFinder; hasId: (id: string) => boolean };

type Dependencies = {
  /** Reading the documents takes a moment, which only tests with faults need. */
  loadOperations: () => Promise<Operations>;
  /** Called after the first fault of a label was added. */
  onAdded: (label: string) => void;
};

const MAX_REQUEST_IDS = 1_000;

const operationUnknown = () =>
  validationFailed('The operation is unknown', [
    { path: '/body/operation', message: 'must be an operationId of the platform', rule: 'enum' },
  ]);

/** Faults are kept in memory, and end with the process. */
export const createFaultService = ({ loadOperations, onAdded }: Dependencies) => {
  const faults = new Map<string, Fault>();
  let operations: Operations | undefined;

  const ofLabel = (label: string): Fault[] => [...faults.values()].filter((fault) => fault.label === label);
  const get = (id: string): Fault => {
    const fault = faults.get(id);
    if (fault === undefined) throw notFound('FAULT_NOT_FOUND', 'There is no such fault');
    return fault;
  };

  return {
    /** @throws AppError 400 if the platform has no such operation */
    create: async ({ times = Number.POSITIVE_INFINITY, ...fault }: NewFault): Promise<string> => {
      operations ??= await loadOperations();
      if (fault.operation !== undefined && !operations.hasId(fault.operation)) throw operationUnknown();
      const id = randomUUID();
      faults.set(id, { ...fault, id, left: times, hits: 0, requestIds: [] });
      onAdded(fault.label);
      return id;
    },
    get,
    remove: (id: string): void => {
      faults.delete(get(id).id);
    },
    removeAll: (label: string): void => {
      for (const { id } of ofLabel(label)) faults.delete(id);
    },
    /** Whether requests of the label may still fail. */
    isActive: (label: string): boolean => faults.size > 0 && ofLabel(label).some(({ left }) => left > 0),
    /** The answer of the first fault that fits the request, which counts as a hit. */
    hit: (label: string, request: { method: string; path: string; id: string }): FaultAnswer | undefined => {
      const operation = operations?.find(request.method, request.path).operation?.id;
      const fault = ofLabel(label).find(
        (each) => each.left > 0 && operation !== undefined && (each.operation ?? operation) === operation,
      );
      if (fault === undefined) return undefined;
      fault.left -= 1;
      fault.hits += 1;
      fault.requestIds = [...fault.requestIds, request.id].slice(-MAX_REQUEST_IDS);
      return fault.answer;
    },
  };
};

export type FaultService = ReturnType<typeof createFaultService>;
