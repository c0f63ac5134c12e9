import { expect, test } from "vitest";
import { requestBody } from "#contracts/test-registry/requests.ts";

const errorsOf = (body: object) => requestBody.safeParse(body).error?.issues.map(({ path }) => path.join(".")) ?? [];
const part = { value: "a", enabled: true };

test("a multipart body has any multipart kind, with parameters but for the boundary", () => {
  const errorsOfType = (mediaType: string | null) => errorsOf({ kind: "multipart", mediaType, parts: [] });
  for (const mediaType of [null, "multipart/mixed", 'multipart/related; type="application/json"; start=a']) {
    expect([mediaType, errorsOfType(mediaType)]).toEqual([mediaType, []]);
  }
  for (const mediaType of [
    "text/plain",
    "multipart/",
    "multipart/mixed; boundary=a",
    "multipart/mixed\r\nX: y",
    "multipart/{{x}}",
  ]) {
    expect([mediaType, errorsOfType(mediaType)]).toEqual([mediaType, ["mediaType"]]);
  }
});

test("parts of a form have names, parts of other kinds need none", () => {
  const parts = [
    { ...part, name: "a" },
    { ...part, name: " " },
  ];
  expect(errorsOf({ kind: "multipart", parts })).toEqual(["parts.1.name"]);
  expect(errorsOf({ kind: "multipart", mediaType: "multipart/form-data", parts })).toEqual(["parts.1.name"]);
  expect(errorsOf({ kind: "multipart", mediaType: "multipart/mixed", parts })).toEqual([]);
});
