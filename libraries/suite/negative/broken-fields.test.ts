import { expect, test } from "vitest";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { object, operation } from "../testing/operations.ts";
import { planAll } from "../testing/plans.ts";

const fields = object(
  {
    title: { type: "string", minLength: 2 },
    copies: { type: "integer", minimum: 1, maximum: 9 },
    cover: { type: "string", format: "binary" },
    note: { type: "string", maxLength: 5 },
  },
  ["title", "copies"],
);

function withForm(mediaType: string): DescribedOperation[] {
  const schema = fields as Record<string, unknown>;
  const sample = { title: "The Waves", copies: 2, note: "a", cover: "" };
  const requestBody = { required: true, description: "", content: [{ mediaType, schema, examples: [], sample }] };
  const book = object({ id: { type: "integer" }, title: { type: "string" } }, ["id"]);
  const create = operation("POST /books", { responses: { 201: book, 422: null } });
  return [
    { ...create, requestBody },
    operation("GET /books/{bookId}", { responses: { 200: book } }),
    operation("DELETE /books/{bookId}", { responses: { 204: null } }),
  ];
}

test.each(["application/x-www-form-urlencoded", "multipart/form-data"])(
  "fields of %s are left out and sent wrongly, one a row",
  (mediaType) => {
    const { tests } = planAll(withForm(mediaType));
    const { data = [], request } = tests.find(({ test: { name } }) => name.startsWith("POST /books refuses"))!.test;
    expect(data.map((row) => row.case)).toEqual([
      "title is missing",
      "copies is missing",
      "copies is a string, a whole number is documented",
      "copies is 0, at least 1",
      "copies is 10, at most 9",
      "title has 1 character, at least 2",
      "note has 6 characters, at most 5",
      "copies is 1.5, a whole number is documented",
    ]);
    const [missing, , wrong] = data;
    expect(missing).toMatchObject({ title: "{{$none}}", copies: "1" });
    expect(wrong).toMatchObject({ copies: "abc" });
    const { body } = request;
    const rows = body.kind === "form" ? body.fields : body.kind === "multipart" ? body.parts : [];
    expect(rows.find(({ name }) => name === "copies")).toMatchObject({ value: "{{copies}}", enabled: true });
  },
);
