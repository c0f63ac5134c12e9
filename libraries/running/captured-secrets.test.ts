import { expect, test } from "vitest";
import { secretsOf } from "./captured-secrets.ts";

const told = (captured: string) => secretsOf(captured).map(({ secret }) => secret);

test("a secret text is one secret, whatever it looks like", () => {
  expect(told("s3cret")).toEqual(["s3cret"]);
  expect(told("4711")).toEqual(["4711"]);
  expect(told("{not JSON")).toEqual(["{not JSON"]);
});

test("of an object or a list every text and number of some length is one, too, as it may be laid out otherwise", () => {
  const text =
    '{"id":7,"pin":"4711","more":[12345678901234567890,{"word":"a \\"quoted\\" one"},true,null,"abc",1e999999]}';
  expect(told(text)).toEqual([text, "4711", "12345678901234567890", 'a "quoted" one', "1e999999"]);
});
