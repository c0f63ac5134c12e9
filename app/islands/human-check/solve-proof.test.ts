import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import type { Payload } from "altcha-lib/types";
import { expect, test } from "vitest";
import { isStale, solveProof } from "./solve-proof";

const keys = { hmacSignatureSecret: "of the challenge", hmacKeySignatureSecret: "of its solution" };
const makeChallenge = (expiresAt?: number) =>
  createChallenge({ ...keys, algorithm: "PBKDF2/SHA-256", cost: 500, counter: 30, deriveKey, expiresAt });

test("what is found is what the server accepts", async () => {
  const { challenge, solution } = JSON.parse(atob(await solveProof(await makeChallenge()))) as Payload;
  expect(await verifySolution({ ...keys, challenge, solution, deriveKey })).toMatchObject({ verified: true });
});

test("an algorithm nobody knows is refused, not tried for ever", async () => {
  const challenge = await makeChallenge();
  challenge.parameters.algorithm = "ROT-13";
  await expect(solveProof(challenge)).rejects.toThrow();
});

test("a challenge is stale a little before it ends, and never without an end", async () => {
  const challenge = await makeChallenge(1_000);
  expect(isStale(challenge, 900_000)).toBe(false);
  expect(isStale(challenge, 990_000)).toBe(true);
  expect(isStale(await makeChallenge(), 1e15)).toBe(false);
});
