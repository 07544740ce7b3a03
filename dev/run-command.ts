import { type Command, readLogTail, startChild, truncateLog } from './child-process.ts';
import { StackError } from './stack-error.ts';

/** Runs a command until it ends by itself. @throws StackError with the end of the log */
export const runCommand = async (command: Command, failure: string, signal: AbortSignal): Promise<void> => {
  truncateLog(command.logFile);
  const child = startChild(command);
  const kill = () => child.signal('SIGKILL');
  signal.addEventListener('abort', kill);
  const reason = await child.exited;
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  if (reason !== 'exit code 0')
    throw new StackError(`${failure} (${reason}):\n${readLogTail(command.logFile)}`);
};
