import { expect, test } from "vitest";
import { isSecretCapture, secretsOf } from "./captured-secrets.ts";

const told = (captured: string) => secretsOf(captured).map(({ secret }) => secret);

test("a secret string is one secret, whatever its content", () => {
  expect(told("s3cret")).toEqual(["s3cret"]);
  expect(told("4711")).toEqual(["4711"]);
  expect(told("{not JSON")).toEqual(["{not JSON"]);
});

test("every longer string and number in an object or list is a secret, too, since it may be formatted differently", () => {
  const text =
    '{"id":7,"pin":"4711","more":[12345678901234567890,{"word":"a \\"quoted\\" one"},true,null,"abc",1e999999]}';
  expect(told(text)).toEqual([text, "4711", "12345678901234567890", 'a "quoted" one', "1e999999"]);
});

test("a capture is secret by its name unless the test says otherwise", () => {
  for (const name of ["token", "accessToken", "apiKey", "password"]) expect(isSecretCapture({ name }), name).toBe(true);
  for (const name of ["orderId", "nextPageToken", "tokenId"]) expect(isSecretCapture({ name }), name).toBe(false);
  expect(isSecretCapture({ name: "token", secret: false })).toBe(false);
  expect(isSecretCapture({ name: "orderId", secret: true })).toBe(true);
});
