import { expect, test } from "vitest";
import { importCorpus, listCorpus } from "./support/collection-corpus.ts";

test("more than a hundred public collections are imported, and none of them is a crash", () => {
  const corpus = listCorpus();
  expect(corpus.length).toBeGreaterThan(200);
  const tallies = importCorpus(corpus);
  const found = [...tallies].map(([format, { imports, requests, tests, assertions, crashes }]) => [
    format,
    { imports, requests, tests, assertions, crashes },
  ]);
  expect(Object.fromEntries(found)).toEqual({
    // Operations by their id alone become tests of a registered API only.
    arazzo: { imports: 6, requests: 22, tests: 1, assertions: 1, crashes: [] },
    bruno: { imports: 55, requests: 94, tests: 94, assertions: 252, crashes: [] },
    har: { imports: 2, requests: 1, tests: 1, assertions: 1, crashes: [] },
    http: { imports: 45, requests: 65, tests: 65, assertions: 1, crashes: [] },
    hurl: { imports: 12, requests: 51, tests: 51, assertions: 56, crashes: [] },
    insomnia: { imports: 32, requests: 114, tests: 114, assertions: 16, crashes: [] },
    postman: { imports: 87, requests: 145, tests: 144, assertions: 140, crashes: [] },
  });
}, 60_000);
