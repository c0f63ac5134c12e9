import { expect, test } from "vitest";
import { BodyRoom } from "./body-room.ts";

function createRoom(totalBytes: number) {
  const room = new BodyRoom(totalBytes);
  const begun: string[] = [];
  const acquire = (name: string, bytes: number) => room.acquire(name[0]!, bytes, () => begun.push(name));
  return { room, begun, acquire };
}

test("what does not fit waits until enough is given back, and smaller ones do not overtake it", () => {
  const { room, begun, acquire } = createRoom(10);
  const first = acquire("a1", 6);
  const second = acquire("b1", 5);
  const third = acquire("c1", 1);
  expect(begun).toEqual(["a1"]);
  first();
  expect(begun).toEqual(["a1", "b1", "c1"]);
  first();
  second();
  third();
  expect(room.isEmpty).toBe(true);
});

test("one larger than the room is served alone", () => {
  const { begun, acquire } = createRoom(10);
  const small = acquire("a1", 1);
  const large = acquire("b1", 50);
  acquire("c1", 1);
  small();
  expect(begun).toEqual(["a1", "b1"]);
  large();
  expect(begun).toEqual(["a1", "b1", "c1"]);
});

test("owners take turns, and one that is withdrawn is never served", () => {
  const { begun, acquire } = createRoom(1);
  const [release, , withdraw] = [acquire("a1", 1), acquire("a2", 1), acquire("a3", 1)];
  const other = acquire("b1", 1);
  withdraw();
  release();
  expect(begun).toEqual(["a1", "a2"]);
  other();
  expect(begun).toEqual(["a1", "a2"]);
});
