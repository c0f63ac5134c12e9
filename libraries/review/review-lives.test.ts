import { expect, test } from "vitest";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { matchOperations } from "../openapi/comparison/match-operations.ts";
import { buildGraph } from "../suite/graph/build-graph.ts";
import { list, object, operation, ref, text } from "../suite/testing/operations.ts";
import { reviewLives } from "./review-lives.ts";

const book = object({ id: text, title: text });
const components = { "#/components/schemas/Book": book, "#/components/schemas/Shop": object({ id: text, city: text }) };

const at = (base: string) => ({
  list: operation(`GET ${base}/books`, { responses: { 200: list(ref("Book")) } }),
  create: operation(`POST ${base}/books`, { body: ref("Book"), responses: { 201: ref("Book") } }),
  read: operation(`GET ${base}/books/{bookId}`, { responses: { 200: ref("Book") } }),
  change: operation(`PATCH ${base}/books/{bookId}`, { body: ref("Book"), responses: { 200: ref("Book") } }),
  remove: operation(`DELETE ${base}/books/{bookId}`, { responses: { 204: null } }),
});
const books = at("");
const shops = [
  operation("GET /shops", { responses: { 200: list(ref("Shop")) } }),
  operation("POST /shops", { body: ref("Shop"), responses: { 201: ref("Shop") } }),
  operation("GET /shops/{shopId}", { responses: { 200: ref("Shop") } }),
];
const all = Object.values(books);
const without = (...gone: DescribedOperation[]) => all.filter((one) => !gone.includes(one));
const creating = (body: unknown, response: unknown = ref("Book"), headers: string[] = []) => [
  ...without(books.create),
  operation("POST /books", { body, responses: { 201: response }, headers }),
];

function review(
  before: readonly DescribedOperation[],
  after: readonly DescribedOperation[],
  prefixes: [string, string] = ["", ""],
) {
  const [old, now] = [buildGraph(before, components), buildGraph(after, components)];
  const toServers = (path: string) => [{ url: `https://a.test${path}`, description: "", variables: [] }] as never;
  const { pairs } = matchOperations(before, after, {
    before: toServers(prefixes[0]),
    after: toServers(prefixes[1]),
  });
  return reviewLives(old, now, ({ method, path }) => {
    const pair = pairs.find((one) => one.before.method === method && one.before.path === path);
    return pair?.after;
  });
}
const sentencesOf = ({ lives }: ReturnType<typeof review>) =>
  lives.flatMap(({ steps }) => steps.map(({ sentence }) => sentence));

const changes = "The life of a book changes: ";
const kinds: [fact: string, before: DescribedOperation[], after: DescribedOperation[], sentences: string[]][] = [
  [
    "what deletes one is gone",
    all,
    without(books.remove),
    [`${changes}DELETE /books/{bookId} is no longer there, so what a run creates stays.`],
  ],
  [
    "what deletes one is new",
    without(books.remove),
    all,
    ["A new step is possible: DELETE /books/{bookId}, which removes what a run creates."],
  ],
  ["what changes one is new", without(books.change), all, ["A new step is possible: PATCH /books/{bookId}."]],
  [
    "what changes one is gone",
    all,
    without(books.change),
    [`${changes}PATCH /books/{bookId} is no longer there, so this change is not tried.`],
  ],
  [
    "what reads one is gone",
    all,
    without(books.read),
    [`${changes}GET /books/{bookId} is no longer there, so what a run creates is not read.`],
  ],
  [
    "a list is there and has no books any longer",
    all,
    [...without(books.list), operation("GET /books", { responses: { 200: object({ count: text }) } })],
    [`${changes}GET /books no longer lists them, so what a run creates is not looked for in a list.`],
  ],
  [
    "another operation changes one",
    all,
    [
      ...without(books.change),
      operation("POST /books/{bookId}", { body: ref("Book"), responses: { 200: ref("Book") } }),
    ],
    [`${changes}one is changed with POST /books/{bookId} instead of PATCH /books/{bookId}.`],
  ],
  [
    "what creates one is gone",
    all,
    without(books.create),
    ["The life of a book ends: POST /books is no longer there."],
  ],
  ["everything of it is gone", all, [], ["The life of a book ends: POST /books is no longer there."]],
  [
    "what creates one identifies it no longer",
    all,
    creating(ref("Book"), list(ref("Book"))),
    ["The life of a book ends: POST /books no longer creates one with an identifier."],
  ],
  ["one can be created", without(books.create), all, ["A life of a book is possible: POST /books creates one."]],
  ["a resource is new", [], all, ["A life of a book is possible: POST /books creates one."]],
  [
    "what creates one needs another one",
    [...shops, ...creating(object({ title: text, shopId: text }))],
    [...shops, ...creating(object({ title: text, shopId: text }, ["shopId"]))],
    [`${changes}POST /books now needs a shop.`],
  ],
  [
    "what creates one needs another one no longer",
    [...shops, ...creating(object({ title: text, shopId: text }, ["shopId"]))],
    [...shops, ...creating(object({ title: text }))],
    [`${changes}POST /books no longer needs a shop.`],
  ],
  [
    "one is created within a parent",
    [...shops, ...all],
    [...shops, ...without(books.create), at("/shops/{shopId}").create],
    [
      `${changes}one is created with POST /shops/{shopId}/books instead of POST /books.`,
      `${changes}POST /shops/{shopId}/books now needs a shop.`,
    ],
  ],
  [
    "the identifier has another name",
    creating(ref("Book"), object({ id: text, title: text })),
    creating(ref("Book"), object({ bookId: text, title: text })),
    [`${changes}POST /books gives its identifier as $.bookId, no longer as $.id.`],
  ],
  [
    "the identifier moves into a header",
    all,
    [
      ...without(books.create),
      operation("POST /books", { body: ref("Book"), responses: { 201: null }, headers: ["Location"] }),
    ],
    [`${changes}POST /books gives its identifier in the header Location, no longer as $.id.`],
  ],
  ["only what reads it without a life is gone", without(books.create), [books.list], []],
  ["nothing changes", [...shops, ...all], [...shops, ...all], []],
];

for (const [fact, before, after, sentences] of kinds) {
  test(`a life is reviewed where ${fact}`, () => {
    expect(sentencesOf(review(before, after))).toEqual(sentences);
  });
}

test("a life that moves with its whole path is the same, and a part of it that changes is said by its new path", () => {
  const moved = at("/v1");
  expect(review(all, Object.values(moved), ["/v1", ""]).lives).toEqual([]);
  const { lives } = review(all, Object.values(moved).slice(0, 4), ["/v1", ""]);
  expect(lives).toMatchObject([
    {
      resource: "/v1/books/{}",
      name: "book",
      create: { method: "post", path: "/books" },
      steps: [
        {
          rule: "step.removed",
          sentence: `${changes}DELETE /books/{bookId} is no longer there, so what a run creates stays.`,
          operations: [{ method: "delete", path: "/books/{bookId}" }],
        },
      ],
    },
  ]);
});

test("what is removed with its parent does not stay, and is named with it", () => {
  const nested = Object.values(at("/shops/{shopId}"));
  const parents = [...shops, operation("DELETE /shops/{shopId}", { responses: { 204: null } })];
  expect(sentencesOf(review([...parents, ...nested], [...parents, ...nested.slice(0, 4)]))).toEqual([
    "The life of a book of a shop changes: DELETE /shops/{shopId}/books/{bookId} is no longer there, " +
      "so what a run creates is removed with its parent only.",
  ]);
});

test("the first 50 lives are listed, those that end first, and the others counted", () => {
  const of = (number: number, removable: boolean) => [
    operation(`POST /things${number}`, { body: book, responses: { 201: book } }),
    operation(`GET /things${number}/{id}`, { responses: { 200: book } }),
    ...(removable ? [operation(`DELETE /things${number}/{id}`, { responses: { 204: null } })] : []),
  ];
  const numbers = Array.from({ length: 60 }, (_, index) => index);
  const { lives, moreCount } = review(
    [...numbers.flatMap((number) => of(number, true)), ...all],
    numbers.flatMap((number) => of(number, false)),
  );
  expect([lives.length, moreCount]).toEqual([50, 11]);
  expect(lives[0]!.steps[0]!.rule).toBe("life.ended");
});
