import { createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import type { Payload } from "altcha-lib/types";
import { expect, test } from "vitest";
import { solveProof, usefulUntil } from "./solve-proof";

const keys = { hmacSignatureSecret: "of the challenge", hmacKeySignatureSecret: "of its solution" };
const makeChallenge = (expiresAt?: number) =>
  createChallenge({ ...keys, algorithm: "PBKDF2/SHA-256", cost: 500, counter: 30, deriveKey, expiresAt });

test("the server accepts the solution", async () => {
  const { challenge, solution } = JSON.parse(atob(await solveProof(await makeChallenge()))) as Payload;
  expect(await verifySolution({ ...keys, challenge, solution, deriveKey })).toMatchObject({ verified: true });
});

test("an unknown algorithm is refused, not tried for ever", async () => {
  const challenge = await makeChallenge();
  challenge.parameters.algorithm = "ROT-13";
  await expect(solveProof(challenge)).rejects.toThrow();
});

test("a solution is usable until shortly before its challenge expires, and always without an expiry", async () => {
  expect(usefulUntil(await makeChallenge(1_000), 900_000)).toBe(985_000);
  expect(usefulUntil(await makeChallenge(), 900_000)).toBe(Number.POSITIVE_INFINITY);
});

test("a browser whose clock runs ahead does not request challenges for ever", async () => {
  expect(usefulUntil(await makeChallenge(1_000), 2_000_000)).toBe(Number.POSITIVE_INFINITY);
});
