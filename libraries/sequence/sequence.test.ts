import { expect, test } from "vitest";
import { UnreadableJson } from "../json/parse-json.ts";
import { createItemCounter, findSequence, readItems, type Sequence } from "./sequence.ts";

test.each([
  ["text/event-stream; charset=utf-8", "events"],
  ["application/x-ndjson", "lines"],
  ["Application/JSONL", "lines"],
  ["application/json-seq", "records"],
  ["application/geo+json-seq", "records"],
  ["application/json", undefined],
  ["text/plain", undefined],
  [undefined, undefined],
])("%s is a sequence of %s", (contentType, sequence) => {
  expect(findSequence(contentType)).toBe(sequence);
});

test("events are read as the HTML standard says, with JSON data as JSON", () => {
  const text =
    '\ufeff: hello\r\nid: 7\r\nevent: created\r\ndata: {"id": 1}\r\n\r\ndata:first\ndata: second\n\nretry: 500\rdata\r\r' +
    "event: no data\n\nid\ndata: 5\n\ndata: unfinished\n";
  expect(readItems(text, "events")).toEqual([
    { event: "created", data: { id: 1 }, id: "7" },
    { event: "message", data: "first\nsecond", id: "7" },
    { event: "message", data: "", id: "7", retry: 500 },
    { event: "message", data: 5, id: "" },
  ]);
});

test("lines and records are read as JSON, and a broken one is named", () => {
  expect(readItems('{"a":1}\r\n\n[2]\n3', "lines")).toEqual([{ a: 1 }, [2], 3]);
  expect(readItems('\x1e{"a":\n1}\n\x1e2\n', "records")).toEqual([{ a: 1 }, 2]);
  expect(() => readItems('{"a":1}\n{"a":', "lines")).toThrow(UnreadableJson);
  expect(() => readItems('{"a":1}\n{"a":', "lines")).toThrow(/^Line 2: /);
  expect(() => readItems("\x1e1\n\x1e{\n", "records")).toThrow(/^Record 2: /);
});

test.each<[Sequence, string, number, string]>([
  ["events", ": ping\n\ndata: 1\n\ndata: 2\n\ndata: 3\n\n", 2, ": ping\n\ndata: 1\n\ndata: 2\n\n"],
  ["events", "data: 1\r\n\r\ndata: 2\r\n\r\n", 1, "data: 1\r\n\r"],
  ["events", "event: x\n\ndatabase: 1\n\ndata\n\nrest", 1, "event: x\n\ndatabase: 1\n\ndata\n\n"],
  ["lines", '\n{"a":1}\r\n\r\n2\n3\n', 2, '\n{"a":1}\r\n\r\n2\n'],
  ["records", '\x1e{"a":\n1}\n\x1e2\n\x1e3\n', 2, '\x1e{"a":\n1}\n\x1e2\n'],
])("%s in %j: item %i ends where it is complete, however the bytes are cut", (sequence, text, count, wanted) => {
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size += 1) {
    const find = createItemCounter(sequence, count);
    let end = -1;
    for (let at = 0; at < bytes.length && end < 0; at += size) {
      const found = find(bytes.subarray(at, at + size));
      if (found >= 0) end = at + found;
    }
    expect(bytes.subarray(0, end).toString()).toBe(wanted);
  }
});
