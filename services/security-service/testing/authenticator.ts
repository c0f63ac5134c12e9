import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { BrowserOptions } from "#contracts/security-service/passkeys.ts";

/** The origin and relying party that a browser reports; a hostile one would lie about them. */
interface ClientClaims {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** The authenticator's counter; increments unless given. */
  count?: number;
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString("base64url");

function head(kind: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(kind << 5) | count]);
  if (count < 256) return Buffer.from([(kind << 5) | 24, count]);
  return Buffer.from([(kind << 5) | 25, count >> 8, count & 255]);
}

/** The subset of CBOR that an attestation without a statement needs. */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as Parameters<typeof cbor>[0])]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

/** An authenticator with one key (ES256), and the browser in front of it. */
export function createAuthenticator(origin = "https://portal.example.com") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(32);
  const id = base64url(credentialId);
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  let counted = 0;

  function clientData(type: string, options: BrowserOptions, claims: ClientClaims): string {
    return JSON.stringify({
      type,
      challenge: claims.challenge ?? options.challenge,
      origin: claims.origin ?? origin,
      crossOrigin: false,
    });
  }

  /** User present and verified, plus additional flags. */
  function authenticatorData(claims: ClientClaims, flags: number, attested = Buffer.alloc(0)): Buffer {
    counted = claims.count ?? counted + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counted);
    const rpId = claims.rpId ?? new URL(origin).hostname;
    return Buffer.concat([sha256(rpId), Buffer.from([0x05 | flags]), count, attested]);
  }

  const credential = { id, rawId: id, type: "public-key" as const };
  return {
    id,
    /** Response of `navigator.credentials.create`. */
    create(options: BrowserOptions, claims: ClientClaims = {}) {
      const key = new Map<number, number | Uint8Array>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as const),
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]);
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, cbor(key)]);
      const authData = authenticatorData(claims, 0x40, attested);
      const object = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", options, claims)),
          attestationObject: base64url(cbor(object)),
          transports: ["internal"],
        },
      };
    },
    /** Response of `navigator.credentials.get`. */
    use(options: BrowserOptions, claims: ClientClaims = {}) {
      const requested = clientData("webauthn.get", options, claims);
      const data = authenticatorData(claims, 0);
      const signature = sign("sha256", Buffer.concat([data, sha256(requested)]), privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(requested),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;
