import { connect, type Socket } from 'node:net';

/** Sends bytes as they are and returns all that came back until the server closed the connection. */
export const sendRaw = (port: number, ...parts: string[]): Promise<string> =>
  new Promise((resolve) => {
    let answer = '';
    const socket: Socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part);
    });
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      answer += text;
    });
    // A reset is an end like any other: what arrived before it counts.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(answer));
  });

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
export const bodyOf = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
