import { expect, test } from "vitest";
import { createAgentKeys, getPublicKeys } from "./agent-keys.ts";
import { openSealed, seal } from "./sealed.ts";
import { createSigner, verifyCall } from "./signed-call.ts";

const now = new Date("2026-04-17T09:30:00.000Z");
const call = { method: "POST", path: "/api/v1/agent-work", body: '{"max":1}' };
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

async function makeAgent(agentId = "one") {
  const keys = await createAgentKeys();
  const { signingKey, sealingKey } = getPublicKeys(keys);
  return { keys, agentId, signingKey, sealingKey, sign: await createSigner(keys.signing, agentId) };
}

test("a signed call is of its agent, method, path and body", async () => {
  const { sign, agentId, signingKey } = await makeAgent();
  const verified = await verifyCall(await sign(call, now), { ...call, agentId, signingKey, now });
  expect(verified.isOfBody(call.body)).toBe(true);
  expect(verified.isOfBody('{"max":2}')).toBe(false);
});

test("each call has an id of its own", async () => {
  const { sign, agentId, signingKey } = await makeAgent();
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await verifyCall(await sign(call, now), { ...call, agentId, signingKey, now })).callId),
  );
  expect(new Set(ids).size).toBe(3);
});

test("an assertion is refused for another path, of another agent, by another key and after its time", async () => {
  const { sign, agentId, signingKey } = await makeAgent();
  const other = await makeAgent("two");
  const assertion = await sign(call, now);
  const expected = { ...call, agentId, signingKey, now };
  const wrong = [
    { ...expected, path: "/api/v1/agent-results" },
    { ...expected, method: "PUT" },
    { ...expected, agentId: "two" },
    { ...expected, signingKey: other.signingKey },
    { ...expected, now: later(60 + 60 + 1) },
    { ...expected, now: later(-61) },
  ];
  for (const one of wrong) await expect(verifyCall(assertion, one), JSON.stringify(one)).rejects.toThrow();
  await expect(verifyCall(assertion, { ...expected, now: later(100) })).resolves.toBeDefined();
});

test("an assertion without a signature, or with another algorithm, is refused", async () => {
  const { sign, agentId, signingKey } = await makeAgent();
  const [, payload, signature] = (await sign(call, now)).split(".");
  const withHeader = (header: object) => Buffer.from(JSON.stringify(header)).toString("base64url");
  for (const forged of [
    `${withHeader({ alg: "none", typ: "agent+jwt" })}.${payload}.`,
    `${withHeader({ alg: "HS256", typ: "agent+jwt" })}.${payload}.${signature}`,
    `${withHeader({ alg: "EdDSA", typ: "at+jwt" })}.${payload}.${signature}`,
  ]) {
    await expect(verifyCall(forged, { ...call, agentId, signingKey, now }), forged).rejects.toThrow();
  }
});

test("what is sealed for an agent can be opened by its key only", async () => {
  const { keys, sealingKey } = await makeAgent();
  const other = await makeAgent();
  const sealed = await seal({ secret: "pk_5f2b1c90" }, sealingKey);
  expect(sealed).not.toContain("pk_5f2b1c90");
  expect(await openSealed(sealed, keys.sealing)).toEqual({ secret: "pk_5f2b1c90" });
  await expect(openSealed(sealed, other.keys.sealing)).rejects.toThrow();
});
