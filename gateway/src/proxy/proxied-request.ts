import type { ClientRequest } from 'node:http';
import type { AppError } from '@platform/shared/errors/app-error';
import type { NextFunction, Request } from 'express';
import { upstreamTimeout } from './upstream-errors.ts';
import type { Instance, Instances } from './upstream-pool.ts';

/** A request on its way through the gateway, which may take several attempts. */
export type Exchange = {
  readonly instances: Instances;
  readonly next: NextFunction;
  timer: NodeJS.Timeout | undefined;
  /** Waiting for an upstream to begin its answer; passing the answer on; or over, well or not. */
  state: 'waiting' | 'answering' | 'over';
  attempts: number;
  /** Of the current attempt, as are the following. */
  instance: Instance | undefined;
  /** Absent while the agent has no connection to give. */
  outgoing: ClientRequest | undefined;
  /** Until then not a byte has left the gateway. */
  isConnected: boolean;
};

declare module 'node:http' {
  interface IncomingMessage {
    exchange?: Exchange;
  }
}

const MAX_ATTEMPTS = 3;

const onTimeout = (exchange: Exchange): void =>
  failExchange(exchange, upstreamTimeout(exchange.instance?.url));

/** The time runs until an upstream begins its answer: in the agent's queue, connecting, sending and waiting. */
export const startExchange = (
  instances: Instances,
  timeoutMilliseconds: number,
  next: NextFunction,
): Exchange => {
  const exchange: Exchange = {
    instances,
    next,
    timer: undefined,
    state: 'waiting',
    attempts: 0,
    instance: undefined,
    outgoing: undefined,
    isConnected: false,
  };
  exchange.timer = setTimeout(onTimeout, timeoutMilliseconds, exchange);
  return exchange;
};

/** Returns the instance to try now. */
export const startAttempt = (exchange: Exchange): Instance => {
  exchange.attempts += 1;
  exchange.isConnected = false;
  exchange.outgoing = undefined;
  exchange.instance = exchange.instances.choose(exchange.instance);
  return exchange.instance;
};

export const startAnswer = (exchange: Exchange): void => {
  exchange.state = 'answering';
  clearTimeout(exchange.timer);
};

export const endExchange = (exchange: Exchange): void => {
  exchange.state = 'over';
  clearTimeout(exchange.timer);
};

/** Answers with `error` in place of the upstream, which is left alone from now on. */
export const failExchange = (exchange: Exchange, error: AppError): void => {
  if (exchange.state !== 'waiting') return;
  endExchange(exchange);
  exchange.next(error);
  exchange.outgoing?.destroy();
};

const isReset = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

/**
 * Whether to try again: with another instance when nothing was sent; else a GET or HEAD when a kept connection broke, which
 * the upstream was closing just then (RFC 9112, 9.3.1). Anything else may have been acted upon.
 */
export const mayRepeat = (
  { attempts, isConnected, instances, outgoing }: Exchange,
  { method }: Request,
  error: NodeJS.ErrnoException,
): boolean => {
  if (attempts >= MAX_ATTEMPTS) return false;
  if (!isConnected) return instances.urls.length > 1;
  const isSafe = method === 'GET' || method === 'HEAD';
  return isSafe && outgoing?.reusedSocket === true && isReset(error);
};
