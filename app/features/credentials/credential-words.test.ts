import { expect, test } from "vitest";
import { deletionInWords, describeCredential, describeUse, storedToast } from "./credential-words.ts";

test("each type describes how it is sent", () => {
  expect(describeCredential({ type: "basic", settings: { username: "ana" } })).toBe("Basic as ana");
  expect(describeCredential({ type: "bearer", settings: {} })).toBe("Bearer");
  expect(describeCredential({ type: "apiKey", settings: { in: "query", parameterName: "key" } })).toBe(
    "API key in query parameter key",
  );
});

test("a secret of few characters is stored with a warning", () => {
  expect(storedToast("Shop is stored.", "12345678")).toEqual({ message: "Shop is stored.", variant: "success" });
  expect(storedToast("Shop is saved.", undefined).variant).toBe("success");
  const short = storedToast("Shop is stored.", "1234567");
  expect(short.variant).toBe("warning");
  expect(short.message).toMatch(/^Shop is stored\. Its secret has fewer than 8 characters/);
});

const apiId = "a1";
const nothing = { total: 0, items: [] };
const unused = { tests: nothing, apis: nothing, authorizationConfigs: nothing };
const used = {
  tests: { total: 2, items: [{ id: "t1", apiId, name: "Lists orders" }] },
  apis: { total: 1, items: [{ id: apiId, name: "Shop" }] },
  authorizationConfigs: nothing,
};

test("the uses of a credential are counted, and unknown while a service is unavailable", () => {
  expect(describeUse(used)).toBe("2 tests, 1 API");
  expect(describeUse(unused)).toBe("Nothing");
  expect(describeUse({ ...used, apis: null })).toBe("2 tests");
  expect(describeUse({ ...unused, tests: null, apis: null })).toBe("unknown");
  expect(describeUse(null)).toBe("unknown");
});

test("the deletion of a credential names its effect on tests and APIs that use it", () => {
  expect(deletionInWords(used)).toBe(
    "2 tests using it will error until you choose another credential. Tests of Shop that inherit their authorization are sent without it. This can't be undone.",
  );
  expect(deletionInWords(unused)).toBe("Not used. This can't be undone.");
  const { tests } = used;
  const one = { ...unused, tests: { ...tests, total: 1 } };
  expect(deletionInWords(one)).toMatch(/^1 test using it will error/);
  expect(deletionInWords(null)).toContain("Tests using it will error");
  const configs = (total: number) => ({
    total,
    items: ["a", "b", "c", "d"].slice(0, total).map((schemeName) => ({ id: schemeName, domain: "x.test", schemeName })),
  });
  expect(deletionInWords({ ...unused, authorizationConfigs: configs(1) })).toBe(
    "Its authorization config is deleted too: a at x.test. This can't be undone.",
  );
  expect(deletionInWords({ ...unused, authorizationConfigs: configs(5) })).toContain(
    "Its authorization configs are deleted too: a at x.test, b at x.test, c at x.test and 2 more.",
  );
  expect(describeUse({ ...used, authorizationConfigs: configs(2) })).toBe("2 tests, 1 API, 2 authorization configs");
});
