import { createHash, randomUUID } from "node:crypto";
import type { Responding } from "./target.ts";

/** An RFC 7616 server that accepts each nonce once, and rejects clients that do not know the password. */
export function digestServer(
  algorithm: "SHA-256" | "MD5",
  { username, password }: { username: string; password: string },
): Responding {
  const realm = "orders";
  const nonces = new Set<string>();
  const hash = (text: string) => createHash(algorithm.replace("-", "").toLowerCase()).update(text).digest("hex");
  return (request, response) => {
    const given = request.headers.authorization ?? "";
    const field = (name: string) => new RegExp(`[ ,]${name}="?([^",]*)`).exec(given)?.[1] ?? "";
    const user = hash(`${username}:${realm}:${password}`);
    const requested = hash(`${request.method}:${request.url}`);
    const expected = hash(`${user}:${field("nonce")}:${field("nc")}:${field("cnonce")}:auth:${requested}`);
    const isGood =
      nonces.delete(field("nonce")) &&
      field("username") === username &&
      field("uri") === request.url &&
      field("response") === expected;
    if (isGood) {
      response.end(`you sent ${given}`);
      return;
    }
    const nonce = randomUUID();
    nonces.add(nonce);
    const challenge = `Digest realm="${realm}", qop="auth", algorithm=${algorithm}, nonce="${nonce}", opaque="o"`;
    response.writeHead(401, { "www-authenticate": challenge }).end();
  };
}
