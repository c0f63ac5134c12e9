/** A directed graph: each edge leads from what needs something to what it needs. */
export interface LayeredGraph {
  nodes: readonly string[];
  edges: readonly { from: string; to: string }[];
}

export interface Point {
  x: number;
  y: number;
}

export interface LayeredLayout {
  width: number;
  height: number;
  /** Upper left corners, by node. */
  boxes: Map<string, Point>;
  /** Points that each edge passes, from `from`'s left side to `to`'s right side, in the order of the graph's edges. */
  lines: Point[][];
}

export interface LayeredSizes {
  box: { width: number; height: number };
  gap: { x: number; y: number };
}

interface Slot {
  /** A node, or where an edge passes a layer. */
  node: string | undefined;
  layer: number;
  order: number;
  y: number;
  needs: Slot[];
  neededBy: Slot[];
}

/** Each sweep brings what belongs together closer; more of them change little. */
const sweeps = 8;

/**
 * Draws a graph in layers from left to right: what needs nothing first, and everything else right of what it needs (Sugiyama). An
 * edge that closes a circle runs the other way. Edges of unknown nodes and of a node to itself are left out, with an empty line.
 */
export function layOut({ nodes, edges }: LayeredGraph, { box, gap }: LayeredSizes): LayeredLayout {
  const layers = findLayers(nodes, edges);
  const slots = new Map(nodes.map((node) => [node, toSlot(node, layers.get(node)!)]));
  const rows: Slot[][] = Array.from({ length: Math.max(0, ...layers.values()) + 1 }, () => []);
  for (const slot of slots.values()) rows[slot.layer]!.push(slot);
  const passed = edges.map(({ from, to }) => {
    const [start, end] = [slots.get(from), slots.get(to)];
    return !start || !end || start === end ? [] : connect(start, end, rows);
  });
  for (const row of rows) for (const [order, slot] of row.entries()) slot.order = order;
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    for (const row of sweep % 2 === 0 ? rows.slice(1) : rows.slice(0, -1).reverse()) sortRow(row, sweep % 2 === 0);
  }
  const heightOf = (slot: Slot) => (slot.node === undefined ? gap.y : box.height);
  const heights = rows.map((row) => row.reduce((sum, slot) => sum + heightOf(slot) + gap.y, -gap.y));
  const height = Math.max(0, ...heights);
  for (const [index, row] of rows.entries()) {
    let y = (height - heights[index]!) / 2;
    for (const slot of row) {
      slot.y = y + heightOf(slot) / 2;
      y += heightOf(slot) + gap.y;
    }
  }
  const left = (slot: Slot) => slot.layer * (box.width + gap.x);
  const boxes = new Map([...slots].map(([node, slot]) => [node, { x: left(slot), y: slot.y - box.height / 2 }]));
  const lines = passed.map((path) => {
    const [start, ...rest] = path;
    if (!start) return [];
    const isBack = start.layer < rest.at(-1)!.layer;
    const edge = (slot: Slot, isRight: boolean) => ({ x: left(slot) + (isRight ? box.width : 0), y: slot.y });
    return path.flatMap((slot, index) => {
      if (index === 0) return [edge(slot, isBack)];
      if (index === path.length - 1) return [edge(slot, !isBack)];
      return [edge(slot, !isBack), edge(slot, isBack)];
    });
  });
  return { width: rows.length * (box.width + gap.x) - gap.x, height, boxes, lines };
}

const toSlot = (node: string | undefined, layer: number): Slot => ({
  ...{ node, layer, order: 0, y: 0, needs: [], neededBy: [] },
});

/** The length of the longest way to what needs nothing; circles are opened where they are first closed. */
function findLayers(nodes: LayeredGraph["nodes"], edges: LayeredGraph["edges"]): Map<string, number> {
  const needs = new Map(nodes.map((node) => [node, [] as string[]]));
  for (const { from, to } of edges) if (from !== to && needs.has(to)) needs.get(from)?.push(to);
  const layers = new Map<string, number>();
  const open = new Set<string>();
  const visit = (node: string): number => {
    const known = layers.get(node);
    if (known !== undefined) return known;
    open.add(node);
    const below = needs.get(node)!.filter((one) => !open.has(one));
    const layer = Math.max(-1, ...below.map(visit)) + 1;
    open.delete(node);
    layers.set(node, layer);
    return layer;
  };
  for (const node of nodes) visit(node);
  return layers;
}

/** A slot in each layer between the two, so that the edge runs between boxes; the slots from start to end. */
function connect(start: Slot, end: Slot, rows: Slot[][]): Slot[] {
  const step = Math.sign(end.layer - start.layer);
  const path = [start];
  for (let layer = start.layer + step; step !== 0 && layer !== end.layer; layer += step) {
    const slot = toSlot(undefined, layer);
    rows[layer]!.push(slot);
    path.push(slot);
  }
  path.push(end);
  for (const [index, slot] of path.slice(1).entries()) {
    const before = path[index]!;
    const [right, leftSlot] = slot.layer < before.layer ? [before, slot] : [slot, before];
    right.needs.push(leftSlot);
    leftSlot.neededBy.push(right);
  }
  return path;
}

/** By the middle of what each belongs to; what belongs to nothing there stays where it is. */
function sortRow(row: Slot[], isByNeeds: boolean): void {
  const middle = new Map(
    row.map((slot) => {
      const others = isByNeeds ? slot.needs : slot.neededBy;
      const sum = others.reduce((total, one) => total + one.order, 0);
      return [slot, others.length === 0 ? slot.order : sum / others.length];
    }),
  );
  row.sort((one, other) => middle.get(one)! - middle.get(other)! || one.order - other.order);
  for (const [order, slot] of row.entries()) slot.order = order;
}
