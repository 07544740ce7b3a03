import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const PORT = 53;
const HEADER_BYTES = 12;
const TYPE_A = 1;
const RESPONSE_FLAGS = 0x8580;
const NAME_ERROR = 3;
/** A pointer to the name in the question. */
const QUESTION_NAME = 0xc00c;

type DnsServer = {
  /** Addresses by name. Other names do not exist. */
  records: Map<string, readonly string[]>;
  stop: () => void;
};

const readQuestion = (query: Buffer) => {
  const labels: string[] = [];
  let offset = HEADER_BYTES;
  for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
    labels.push(query.toString('ascii', offset + 1, offset + 1 + length));
    offset += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(offset + 1), end: offset + 5 };
};

const writeAddress = (address: string): Buffer => {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(QUESTION_NAME, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(4, 10);
  record.set(address.split('.').map(Number), 12);
  return record;
};

const respond = (query: Buffer, records: DnsServer['records']): Buffer => {
  const { name, type, end } = readQuestion(query);
  const addresses = records.get(name);
  const answers = type === TYPE_A ? (addresses ?? []) : [];
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(RESPONSE_FLAGS + (addresses ? 0 : NAME_ERROR), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...answers.map(writeAddress)]);
};

/**
 * Resolves the names of `records` to IPv4 addresses. The server uses port 53 of `host`, because resolv.conf
 * cannot name another port.
 */
export const startDnsServer = async (host: string): Promise<DnsServer> => {
  const records: DnsServer['records'] = new Map();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(respond(query, records), port, address));
  socket.bind(PORT, host);
  await once(socket, 'listening');
  return { records, stop: () => socket.close() };
};
