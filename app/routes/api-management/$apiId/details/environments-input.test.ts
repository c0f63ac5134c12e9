import { expect, test } from "vitest";
import { environmentsInput, readVariables, writeVariables } from "./environments-input.ts";

test("a value may contain equals signs and spaces, a name may not", () => {
  expect(readVariables("token = a=b \r\n\n# note\nregion=")).toEqual({
    variables: { token: " a=b ", region: "" },
    errors: [],
  });
  expect(readVariables("a b=1\n=x\nplain").errors).toHaveLength(3);
});

test("what is written can be read back", () => {
  const variables = { host: "example.com", "api-key": "x=1&y=2" };
  expect(readVariables(writeVariables(variables)).variables).toEqual(variables);
});

test("names of the object prototype are ordinary names", () => {
  expect(Object.keys(readVariables("__proto__=1\nconstructor=2").variables)).toEqual(["__proto__", "constructor"]);
});

test("a duplicate name or variable is refused at its second occurrence", () => {
  expect(readVariables("a=1\na=2").errors).toEqual(["Line 2: a is there twice"]);
  const row = { name: "Staging", baseUrl: "https://example.com" };
  const checked = environmentsInput.safeParse({ items: [row, row] });
  expect(checked.error?.issues.map(({ path }) => path.join("."))).toEqual(["items.1.name"]);
});

test("an environment's base URL is http or https", () => {
  const getFaults = (baseUrl: string) =>
    environmentsInput.safeParse({ items: [{ name: "Staging", baseUrl }] }).error?.issues.map(({ message }) => message);
  expect(getFaults("HTTPS://staging.example.com ")).toBeUndefined();
  expect(getFaults("ftp://staging.example.com")).toEqual(["A base URL starts with https:// or http://"]);
  expect(getFaults("staging")).toEqual(["Enter a full URL, e.g. https://api.example.com/v1"]);
});
