import { createSocket } from "node:dgram";

const nameError = 3;
const serverFailure = 2;
const headerBytes = 12;

/** A DNS server on loopback that answers TXT queries with the test's records; other names do not exist. */
export async function startNameServer() {
  const texts = new Map<string, string[]>();
  let fails = false;
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, end } = readName(query);
    const found = texts.get(name.toLowerCase()) ?? [];
    const results = found.map((text) => writeTextRecord(text));
    const header = Buffer.from(query.subarray(0, headerBytes));
    const code = fails ? serverFailure : found.length > 0 ? 0 : nameError;
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(fails ? 0 : results.length, 6);
    header.writeUInt32BE(0, 8);
    const question = query.subarray(headerBytes, end + 4);
    socket.send(Buffer.concat([header, question, ...(fails ? [] : results)]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    texts,
    /** Makes queries fail, or stops doing so. */
    fail(does: boolean) {
      fails = does;
    },
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}

/** Records of the queried name; long texts are split, as name servers do. */
function writeTextRecord(text: string): Buffer {
  const parts = text.match(/.{1,20}/gs) ?? [""];
  const content = Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), Buffer.from(part, "latin1")]));
  const head = Buffer.alloc(12);
  // A pointer to the queried name.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(16, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(content.length, 10);
  return Buffer.concat([head, content]);
}
