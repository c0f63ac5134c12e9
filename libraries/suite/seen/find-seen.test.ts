import fc from "fast-check";
import { expect, test } from "vitest";
import { type Exchange, findSeen } from "./find-seen.ts";

const json: [string, string][] = [["content-type", "application/json"]];
const handle = "hn_7Qz4LmX2vB9sTkW1";

let clock = 0;
/** `GET /books/{id}` with what was sent and received, a second after the one before. */
function exchange(
  operation: string,
  sent: { url: string; body?: unknown; headers?: [string, string][] },
  received: unknown = {},
  isNew = true,
): Exchange {
  const [method = "", path = ""] = operation.split(" ");
  clock += 1_000;
  return {
    operation: { method, path },
    ...{ startedAt: clock, endedAt: clock + 20, isNew },
    request: {
      url: `https://library.example/v1${sent.url}`,
      headers: [...json, ...(sent.headers ?? [])],
      body: sent.body === undefined ? null : JSON.stringify(sent.body),
    },
    response: { headers: json, body: JSON.stringify(received) },
  };
}

const shelf = (received: unknown) => exchange("post /shelves", { url: "/shelves" }, received);
const seen = (...exchanges: Exchange[]) =>
  findSeen(exchanges).map(
    ({ from, to, times, values, isDistinctive }) =>
      `${from.operation.method} ${from.operation.path} ${from.path} → ${to.operation.method} ${to.operation.path} ` +
      `${to.in} ${to.name}: ${times} of ${values}${isDistinctive ? "!" : ""}`,
  );

test("a value of a response that a later request sends is an edge, wherever it is sent", () => {
  const given = shelf({ data: [{ handle }] });
  const from = "post /shelves $.data[*].handle →";
  expect(seen(given, exchange("get /items/{ref}", { url: `/items/${handle}` }))).toEqual([
    `${from} get /items/{ref} path ref: 1 of 1!`,
  ]);
  expect(seen(given, exchange("get /items", { url: `/items?shelf=${handle}` }))).toEqual([
    `${from} get /items query shelf: 1 of 1!`,
  ]);
  expect(seen(given, exchange("get /items", { url: "/items", headers: [["X-Shelf", handle]] }))).toEqual([
    `${from} get /items header X-Shelf: 1 of 1!`,
  ]);
  expect(seen(given, exchange("post /items", { url: "/items", body: { on: [{ shelf: handle }] } }))).toEqual([
    `${from} post /items body /on/-/shelf: 1 of 1!`,
  ]);
});

test("only requests after the response count, and each once", () => {
  const use = (isNew?: boolean) => exchange("post /items", { url: "/items", body: [handle, handle] }, {}, isNew);
  const given = shelf({ handle });
  expect(seen(use(false), given)).toEqual([]);
  const early = { ...use(), startedAt: given.startedAt + 5 };
  expect(seen(given, early)).toEqual([]);
  expect(seen(given, use(), use())).toEqual(["post /shelves $.handle → post /items body /-: 2 of 1!"]);
});

test("requests that were counted before are not counted again", () => {
  const use = (isNew: boolean) => exchange("get /items/{ref}", { url: `/items/${handle}` }, {}, isNew);
  const given = { ...shelf({ handle }), isNew: false };
  expect(seen(given, use(false))).toEqual([]);
  expect(seen(given, use(false), use(true))).toEqual(["post /shelves $.handle → get /items/{ref} path ref: 1 of 1!"]);
});

test("numbers and short texts count by how many different ones there were", () => {
  const uses = (id: number) => [shelf({ id }), exchange("get /items/{ref}", { url: `/items/${id}` })];
  expect(seen(...[7, 8, 8].flatMap(uses))).toEqual(["post /shelves $.id → get /items/{ref} path ref: 3 of 2"]);
});

test("a number that two resources gave says nothing, nor does one that is a page", () => {
  const ids = [exchange("get /books", { url: "/books" }, [{ id: 7 }]), shelf({ id: 7 })];
  expect(seen(...ids, exchange("get /items/{ref}", { url: "/items/7" }))).toEqual([]);
  expect(seen(shelf({ id: 7 }), exchange("get /items", { url: "/items?page=7" }))).toEqual([]);
  expect(seen(shelf({ count: 7, active: true }), exchange("get /items/{ref}", { url: "/items/7" }))).toEqual([]);
});

test("words, dates, addresses and hidden secrets identify nothing", () => {
  for (const value of [
    "available",
    "a sentence that is long enough",
    "2026-01-15T10:00:00Z",
    "internal-server-error",
    "[secret]",
    "https://library.example/books/1234567",
    "00000000-0000-0000-0000-000000000000",
  ]) {
    const used = exchange("get /items/{ref}", { url: `/items/${encodeURIComponent(value)}` });
    expect(seen(shelf({ state: value }), used)).toEqual([]);
  }
});

test("what a read repeats is no source; what a write repeats is one if nothing else gave the value", () => {
  const read = exchange("get /shelves/{name}", { url: `/shelves/${handle}` }, { name: handle });
  const use = exchange("get /items", { url: `/items?shelf=${handle}` });
  expect(seen(read, use)).toEqual([]);
  const made = exchange("post /shelves", { url: "/shelves", body: { name: handle } }, { name: handle });
  const used = exchange("get /items", { url: `/items?shelf=${handle}` });
  expect(seen(made, used)).toEqual(["post /shelves $.name → get /items query shelf: 1 of 1!"]);
  const given = shelf({ handle });
  const lent = exchange("post /loans", { url: "/loans", body: { shelf: handle } }, { shelf: handle });
  const last = exchange("get /items/{ref}", { url: `/items/${handle}` });
  expect(seen(given, lent, last).filter((edge) => edge.startsWith("post /loans"))).toEqual([]);
});

test("a path that is not the operation's has no parameter, and what is no JSON no value", () => {
  const given = shelf({ handle });
  expect(seen(given, exchange("get /items/{ref}", { url: `/things/${handle}` }))).toEqual([]);
  expect(seen(given, exchange("get /items/{ref}.json", { url: `/items/${handle}.json` }))).toHaveLength(1);
  const text = {
    ...given,
    response: { headers: [["content-type", "text/plain"]] as [string, string][], body: handle },
  };
  const cut = { ...given, response: { headers: json, body: `{"handle":"${handle}","more":[` } };
  const used = exchange("get /items/{ref}", { url: `/items/${handle}` });
  expect([...seen(text, used), ...seen(cut, used)]).toEqual([]);
});

test("digits beyond 2^53 keep themselves", () => {
  const id = "9007199254740993";
  const given = shelf({});
  const exact = { ...given, response: { headers: json, body: `{"id":${id}}` } };
  const used = (text: string) => exchange("get /items/{ref}", { url: `/items/${text}` });
  expect(seen(exact, used(id))).toHaveLength(1);
  expect(seen(exact, used("9007199254740992"))).toEqual([]);
});

test("no value leaves, whatever was exchanged", () => {
  const value = fc.oneof(fc.uuid(), fc.stringMatching(/^zz[a-z0-9]{14,30}$/));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), fc.json(), (values, noise) => {
      const exchanges = values.flatMap((one) => [
        shelf({ handle: one, noise: JSON.parse(noise) as unknown }),
        exchange("get /items/{ref}", { url: `/items/${one}` }),
      ]);
      const text = JSON.stringify(findSeen(exchanges));
      for (const one of values) expect(text).not.toContain(one);
    }),
  );
});
