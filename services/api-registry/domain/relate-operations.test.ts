import { expect, test } from "vitest";
import { fixture, fixturesIn } from "../testing/fixtures.ts";
import { readDocument } from "../testing/reading.ts";

const relate = async (name: string) => {
  const { document, files } = fixture("valid", name);
  const { resources, operations, consumers } = await readDocument({ document, fileName: name, files });
  const inWords = resources.map(({ resource: { key, variable, operations: of, producers } }) => {
    const [best] = producers;
    const from = best ? `${best.operation.method} ${best.operation.path} ${best.from} ${best.path}`.trim() : "nothing";
    return `${key} {{${variable}}} ${Object.keys(of).join()} from ${from}`;
  });
  return { resources, operations, consumers, inWords };
};

test("what paths name is found in documents of several kinds, with its operations and where its identifier is", async () => {
  expect((await relate("museum-v31.yaml")).inWords).toEqual([
    "/special-events/{} {{eventId}} list,create,read,change,remove from post /special-events body $.eventId",
    "/tickets/{} {{ticketId}} create from post /tickets body $.ticketId",
  ]);
  expect((await relate("swagger-petstore-v30.yaml")).inWords).toEqual([
    "/pet/{} {{petId}} create,read,change,replace,remove from post /pet body $.id",
    "/store/order/{} {{orderId}} create,read,remove from post /store/order body $.id",
    "/user/{} {{username}} create,read,replace,remove from post /user body $.username",
  ]);
  expect((await relate("alertmanager-0.25.0-v2.yaml")).inWords).toEqual([
    "/silence/{} {{silenceID}} list,create,read,remove from post /silences body $.silenceID",
  ]);
  expect((await relate("vampi-v30.yml")).inWords).toEqual([
    "/users/v1/{} {{username}} list,create,read,remove from post /users/v1/register sent $.username",
    "/books/v1/{} {{book_title}} list,create,read from post /books/v1 sent $.book_title",
  ]);
});

test("the document's links are followed", async () => {
  const { resources } = await relate("learn-v30-link.yaml");
  const evidence = resources.flatMap(({ resource }) => resource.producers.map((producer) => producer.evidence.kind));
  expect(evidence).toContain("link");
  expect(resources.flatMap(({ consumers }) => consumers).some((one) => one.evidence.kind === "link")).toBe(true);
});

test("in every document each path parameter has its resource, and no two resources one variable", async () => {
  for (const { name } of fixturesIn("valid")) {
    const { resources, operations, consumers } = await relate(name);
    const own = resources.map(({ resource }) => resource).filter(({ key, source }) => key === source);
    expect([name, own.length]).toEqual([name, new Set(own.map(({ variable }) => variable)).size]);
    const byPosition = new Map(consumers.map((row) => [row.position, row.consumers]));
    for (const { kind, position, path } of operations) {
      if (kind !== "operation") continue;
      const whole = path
        .split(/[?#]/)[0]!
        .split("/")
        .filter((segment) => /^[^{}]*\{[^{}]+\}[^{}]*$/.test(segment));
      const found = (byPosition.get(position) ?? []).filter((one) => one.in === "path");
      expect([name, path, found.length]).toEqual([name, path, whole.length]);
    }
  }
});
