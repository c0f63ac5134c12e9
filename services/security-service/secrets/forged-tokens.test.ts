import { createHmac } from "node:crypto";
import {
  base64url,
  CompactSign,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publicKey } from "#contracts/kit/public-keys.ts";
import type { Database } from "../../kit/database/database.ts";
import { createAuthenticate, issueServiceToken } from "../../kit/identity/identity.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createVault } from "../../kit/vault/vault.ts";
import { createSecurityWorld, type SecurityWorld, serviceKey } from "../testing/world.ts";

const encode = (value: unknown) => base64url.encode(typeof value === "string" ? value : JSON.stringify(value));

let database: Database;
let world: SecurityWorld;
let genuine: { token: string; header: Record<string, unknown>; claims: Record<string, unknown>; signature: string };
let publicJwk: JWK;
let ourKey: Awaited<ReturnType<typeof importJWK>>;
let refreshToken: string;

beforeAll(async () => {
  database = await testEngines()[0].open();
  world = await createSecurityWorld(database);
  const signedIn = await world.requireLogin();
  refreshToken = signedIn.refreshToken;
  const [header = "", claims = "", signature = ""] = signedIn.accessToken.split(".");
  genuine = {
    token: signedIn.accessToken,
    header: JSON.parse(Buffer.from(header, "base64url").toString()),
    claims: JSON.parse(Buffer.from(claims, "base64url").toString()),
    signature,
  };
  const stored = await world.db.selectFrom("signing_keys").selectAll().executeTakeFirstOrThrow();
  publicJwk = publicKey.parse(stored.public_jwk);
  const location = { organizationId: "installation", record: `signing_keys/${stored.id}` };
  const privateJwk = createVault("a key for tests").open(stored.sealed_private_jwk, location);
  ourKey = await importJWK(JSON.parse(privateJwk) as JWK, "EdDSA");
});
afterAll(async () => {
  await world.stop();
  await database.close();
});

type Forgery = [what: string, token: string];

/** Signed with our own key: shows that each rule applies independently of the signature. */
async function withOurKey(claims: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> {
  const merged = { ...genuine.claims, ...claims };
  const bytes = new TextEncoder().encode(JSON.stringify(merged));
  return await new CompactSign(bytes).setProtectedHeader({ ...genuine.header, ...header } as never).sign(ourKey);
}

async function wrongClaims(): Promise<Forgery[]> {
  const now = Math.floor(Date.now() / 1_000);
  const cases: [string, Record<string, unknown>, Record<string, unknown>?][] = [
    ["ended a second ago", { exp: now - 1 }],
    ["without an end", { exp: undefined }],
    ["whose end is text", { exp: "2999-01-01" }],
    ["valid from tomorrow", { nbf: now + 86_400 }],
    ["for another audience", { aud: "another-portal" }],
    ["for nobody", { aud: undefined }],
    ["for an empty list of audiences", { aud: [] }],
    ["of another issuer", { iss: "https://evil.test" }],
    ["of no issuer", { iss: undefined }],
    ["of the issuer in capitals", { iss: "SECURITY-SERVICE" }],
    ["whose issuer is a list", { iss: ["security-service"] }],
    ["without subject", { sub: undefined }],
    ["without organization", { org: undefined }],
    ["of the services' issuer, signed as a user's", { iss: "portal-services" }],
    ["of type JWT", {}, { typ: "JWT" }],
    ["of no type", {}, { typ: undefined }],
    ["of a refresh type", {}, { typ: "rt+jwt" }],
    ["with another key id", {}, { kid: "another" }],
    ["with a path as key id", {}, { kid: "../../../../dev/null" }],
    ["with SQL as key id", {}, { kid: "' or 1=1 --" }],
    ["with an object as key id", {}, { kid: { $ne: null } }],
    ["with an unknown critical header", {}, { crit: ["exp2"], exp2: 1 }],
  ];
  return await Promise.all(
    cases.map(async ([what, claims, header]): Promise<Forgery> => {
      const token = await withOurKey(claims, header).catch(() => handMade({ ...genuine.header, ...header }, claims));
      return [what, token];
    }),
  );
}

/** Tokens that jose refuses to sign are assembled manually, with the genuine signature. */
function handMade(header: unknown, claims: Record<string, unknown>): string {
  return `${encode(header)}.${encode({ ...genuine.claims, ...claims })}.${genuine.signature}`;
}

function hmacSigned(
  header: Record<string, unknown>,
  key: string | Uint8Array,
  claims: object = genuine.claims,
): string {
  const input = `${encode({ typ: "at+jwt", alg: "HS256", ...header })}.${encode(claims)}`;
  return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
}

async function wrongKeys(): Promise<Forgery[]> {
  const { header, claims } = genuine;
  const foreign = await generateKeyPair("EdDSA", { extractable: true });
  const rsa = await generateKeyPair("RS256");
  const elliptic = await generateKeyPair("ES256");
  const foreignPublic = await exportJWK(foreign.publicKey);
  const signWith = (alg: string, key: CryptoKey, more: object = {}) =>
    new SignJWT(claims as never).setProtectedHeader({ ...header, alg, ...more } as never).sign(key);
  const spki = await exportSPKI((await importJWK(publicJwk, "EdDSA", { extractable: true })) as CryptoKey);
  const hs384 = `${encode({ ...header, alg: "HS384" })}.${encode(claims)}`;
  return [
    ["unsigned, alg none", new UnsecuredJWT(claims as never).encode()],
    ["unsigned, alg None, our key id", `${encode({ ...header, alg: "None" })}.${encode(claims)}.`],
    [
      "unsigned, alg NONE with our signature",
      `${encode({ ...header, alg: "NONE" })}.${encode(claims)}.${genuine.signature}`,
    ],
    [
      "signed with HMAC and the public key's x",
      hmacSigned({ kid: header.kid }, Buffer.from(String(publicJwk.x), "base64url")),
    ],
    ["signed with HMAC and the public key as JSON", hmacSigned({ kid: header.kid }, JSON.stringify(publicJwk))],
    ["signed with HMAC and the public key as PEM", hmacSigned({ kid: header.kid }, spki)],
    ["signed with HMAC and an empty key", hmacSigned({ kid: header.kid }, "")],
    ["of a user, signed with the services' key", hmacSigned({}, serviceKey)],
    [
      "signed with HS384 and the services' key",
      `${hs384}.${createHmac("sha384", serviceKey).update(hs384).digest("base64url")}`,
    ],
    ["signed with another Ed25519 key under our key id", await signWith("EdDSA", foreign.privateKey)],
    ["that brings its key along", await signWith("EdDSA", foreign.privateKey, { jwk: foreignPublic, kid: undefined })],
    [
      "that names where its key is",
      await signWith("EdDSA", foreign.privateKey, { jku: "https://evil.test/jwks.json" }),
    ],
    ["that brings a certificate", await signWith("EdDSA", foreign.privateKey, { x5c: ["MIIB"] })],
    ["signed with RSA", await signWith("RS256", rsa.privateKey)],
    ["signed with ECDSA", await signWith("ES256", elliptic.privateKey)],
    [
      "of a service, signed with another key",
      await issueServiceToken(new Uint8Array(32).fill(9), "evil", String(claims.org)),
    ],
    [
      "of a service, unsigned",
      new UnsecuredJWT({
        iss: "portal-services",
        aud: "api-assurance-portal",
        sub: "x",
        org: claims.org,
        exp: 9e9,
      } as never).encode(),
    ],
    [
      "of a service, without an end",
      hmacSigned({}, serviceKey, { iss: "portal-services", aud: "api-assurance-portal", sub: "x", org: claims.org }),
    ],
    [
      "of a service, for another audience",
      hmacSigned({}, serviceKey, { iss: "portal-services", aud: "x", sub: "x", org: claims.org, exp: 9e9 }),
    ],
    [
      "of a service, ended",
      hmacSigned({}, serviceKey, {
        iss: "portal-services",
        aud: "api-assurance-portal",
        sub: "x",
        org: claims.org,
        exp: 1,
      }),
    ],
  ];
}

function brokenForms(): Forgery[] {
  const { token, header, claims, signature } = genuine;
  const [head, body] = token.split(".");
  const twice = `{"sub":"someone",${JSON.stringify(claims).slice(1)}`;
  const flipped = (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
  return [
    ["with bytes after it", `${token}AAAA`],
    ["with a fourth part", `${token}.${signature}`],
    ["without signature", `${head}.${body}.`],
    ["of two parts", `${head}.${body}`],
    ["with a flipped signature", `${head}.${body}.${flipped}`],
    ["with half a signature", `${head}.${body}.${signature.slice(0, 43)}`],
    ["with a signature of zeros", `${head}.${body}.${base64url.encode(new Uint8Array(64))}`],
    [
      "with more roles and the old signature",
      handMade(header, { roles: ["SYSTEM_ADMIN"], scopes: ["system:manage", "x"] }),
    ],
    [
      "of another organization and the old signature",
      handMade(header, { org: "01900000-0000-7000-8000-000000000000" }),
    ],
    ["with a claim twice", `${head}.${encode(twice)}.${signature}`],
    ["whose claims are a list", `${head}.${encode([])}.${signature}`],
    ["whose claims are no JSON", `${head}.${encode("{")}.${signature}`],
    ["whose header is no JSON", `${encode("{")}.${body}.${signature}`],
    ["of 100 KB", `${head}.${encode({ ...claims, filler: "x".repeat(100_000) })}.${signature}`],
    ["that is a refresh token", refreshToken],
    ["that is empty", ""],
    ["of dots", ".."],
    [
      "encrypted instead of signed",
      `${encode({ alg: "dir", enc: "A256GCM" })}..AAAAAAAAAAAAAAAA.${body}.AAAAAAAAAAAAAAAAAAAAAA`,
    ],
  ];
}

test("A01: none of more than forty forged or malformed tokens is accepted", async () => {
  expect(await world.service.authenticate(genuine.token)).toMatchObject({ kind: "user", username: "Admin" });
  const forgeries = [...(await wrongClaims()), ...(await wrongKeys()), ...brokenForms()];
  expect(forgeries.length).toBeGreaterThanOrEqual(40);
  const accepted: string[] = [];
  for (const [what, token] of forgeries) {
    const caller = await world.service.authenticate(token).catch((error: { code?: string }) => error.code);
    if (caller !== "unauthenticated") accepted.push(what);
  }
  expect(accepted).toEqual([]);
});

test("A01: over HTTP every forged token gets the same 401, in any spelling of the header", async () => {
  const forgeries = [...(await wrongKeys()), ...brokenForms()];
  for (const [what, token] of forgeries) {
    const response = await world.service.app.request("/api/v1/sessions", {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([what, response.status]).toEqual([what, 401]);
  }
  for (const authorization of ["", "Bearer", `Basic ${genuine.token}`, genuine.token, `Bearer ${genuine.token} x`]) {
    const response = await world.service.app.request("/api/v1/sessions", { headers: { authorization } });
    expect([authorization.slice(0, 10), response.status]).toEqual([authorization.slice(0, 10), 401]);
  }
});

test("A01: another installation's token is refused although its rules are the same", async () => {
  const elsewhere = await testEngines()[0].open();
  const other = await createSecurityWorld(elsewhere);
  const { accessToken } = await other.requireLogin();
  await expect(world.service.authenticate(accessToken)).rejects.toMatchObject({ code: "unauthenticated" });
  await other.stop();
  await elsewhere.close();
});

test("a remote service that knows only the published keys accepts the genuine token", async () => {
  const authenticate = createAuthenticate({
    serviceKey,
    publicKeys: async () => (await (await world.service.app.request("/.well-known/jwks.json")).json()) as never,
  });
  expect(await authenticate(genuine.token)).toMatchObject({ kind: "user", organizationId: genuine.claims.org });
});
