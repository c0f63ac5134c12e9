import fc from "fast-check";
import { expect, test } from "vitest";
import { layOut } from "./layered-layout";

const sizes = { box: { width: 100, height: 40 }, gap: { x: 50, y: 10 } };
const edge = (from: string, to: string) => ({ from, to });

test("what needs nothing is at the left, and everything else right of what it needs", () => {
  const { boxes, width, height } = layOut(
    {
      nodes: ["loan", "book", "shop", "member"],
      edges: [edge("loan", "book"), edge("book", "shop"), edge("loan", "member")],
    },
    sizes,
  );
  const column = (node: string) => boxes.get(node)!.x;
  expect([column("shop"), column("member"), column("book"), column("loan")]).toEqual([0, 0, 150, 300]);
  expect({ width, height }).toEqual({ width: 400, height: 90 });
});

test("a circle and a need of itself end the layers, and are no error", () => {
  const { boxes, lines } = layOut(
    {
      nodes: ["a", "b", "c"],
      edges: [edge("a", "b"), edge("b", "c"), edge("c", "a"), edge("a", "a"), edge("a", "gone")],
    },
    sizes,
  );
  expect(new Set([...boxes.values()].map(({ x }) => x)).size).toBe(3);
  expect(lines.map((line) => line.length > 0)).toEqual([true, true, true, false, false]);
});

test("whatever the graph, no two boxes overlap, and no line crosses a box in a layer that it only passes", () => {
  const node = fc.constantFrom(..."abcdefgh");
  const graph = fc.record({
    nodes: fc.constant([..."abcdefgh"]),
    edges: fc.array(fc.record({ from: node, to: node }), { maxLength: 16 }),
  });
  fc.assert(
    fc.property(graph, (given) => {
      const { boxes, lines, width, height } = layOut(given, sizes);
      const all = [...boxes.values()];
      for (const [index, one] of all.entries()) {
        expect(one.x + sizes.box.width).toBeLessThanOrEqual(width);
        expect(one.y).toBeGreaterThanOrEqual(0);
        expect(one.y + sizes.box.height).toBeLessThanOrEqual(height);
        for (const other of all.slice(index + 1))
          if (one.x === other.x) expect(Math.abs(one.y - other.y)).toBeGreaterThanOrEqual(sizes.box.height);
      }
      for (const line of lines) {
        for (const { x, y } of line.slice(1, -1)) {
          const inLayer = all.filter((box) => x >= box.x && x <= box.x + sizes.box.width);
          for (const box of inLayer) expect(y < box.y || y > box.y + sizes.box.height).toBe(true);
        }
      }
    }),
  );
});
