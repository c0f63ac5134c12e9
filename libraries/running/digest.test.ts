import { expect, test } from "vitest";
import { answerDigest, findDigestChallenge } from "./digest.ts";

const nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
const opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS";
const cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
const realm = "http-auth@example.org";
const asked = { method: "GET", uri: "/dir/index.html", username: "Mufasa", password: "Circle of Life", cnonce };
const challengeOf = (...values: string[]) =>
  findDigestChallenge(values.map((value): [string, string] => ["WWW-Authenticate", value]));
const offer = (algorithm: string, more = "") =>
  `Digest realm="${realm}", qop="auth, auth-int", algorithm=${algorithm}, nonce="${nonce}", opaque="${opaque}"${more}`;

// RFC 7616, 3.9.1.
test.each([
  ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
  ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
])("the RFC's own example is answered with its %s response", (algorithm, response) => {
  const answer = answerDigest(challengeOf(offer(algorithm))!, asked);
  expect(answer.response).toBe(response);
  expect(answer.header).toBe(
    `Digest username="Mufasa", realm="${realm}", uri="/dir/index.html", algorithm=${algorithm}, nonce="${nonce}", nc=00000001, qop=auth, cnonce="${cnonce}", response="${response}", opaque="${opaque}"`,
  );
});

test("the strongest of several challenges is answered, whichever header they share", () => {
  expect(challengeOf(offer("MD5"), offer("SHA-256"))).toMatchObject({ hash: "sha256" });
  expect(challengeOf(`Basic realm="a, b", ${offer("MD5")}, ${offer("SHA-256")}`)).toMatchObject({ hash: "sha256" });
  expect(challengeOf(`${offer("MD5")}, Negotiate, Bearer realm="x", nonce="other"`)).toMatchObject({ nonce });
});

test("an unsupported challenge is ignored", () => {
  expect(challengeOf("Basic realm=x")).toBeUndefined();
  expect(challengeOf(offer("SHA-512-256"))).toBeUndefined();
  expect(challengeOf(`Digest realm="x", nonce="y", qop="auth-int"`)).toBeUndefined();
  expect(challengeOf(`Digest realm="x", qop="auth"`)).toBeUndefined();
  expect(findDigestChallenge([["x-other", offer("MD5")]])).toBeUndefined();
});

test("a name is hashed if the server requires it, and encoded if a quoted string can't contain it", () => {
  const hashed = answerDigest(challengeOf(offer("SHA-256", ", userhash=true"))!, { ...asked, username: "Jäsøn Doe" });
  expect(hashed.header).toMatch(/^Digest username="[0-9a-f]{64}", userhash=true, /);
  const plain = answerDigest(challengeOf(offer("SHA-256"))!, { ...asked, username: "Jäsøn Doe" });
  expect(plain.header).toMatch(/^Digest username\*=UTF-8''J%C3%A4s%C3%B8n%20Doe, /);
});

test("quotes in a realm are read and written back", () => {
  const challenge = challengeOf(String.raw`Digest realm="a \"b\" c", nonce="n"`)!;
  expect(challenge).toMatchObject({ realm: 'a "b" c', algorithm: "MD5", qop: undefined });
  expect(answerDigest(challenge, asked).header).toContain(String.raw`realm="a \"b\" c"`);
  expect(answerDigest(challenge, asked).header).not.toContain("nc=");
});
