import { randomUUID } from "node:crypto";

export interface Product {
  id: string;
  name: string;
  /** In euros. */
  price: number;
  category: string;
  inStock: number;
}

export interface Line {
  productId: string;
  quantity: number;
}

export interface Basket {
  id: string;
  lines: Line[];
}

export interface Order {
  id: string;
  lines: Line[];
  total: number;
  address: string;
  status: "placed" | "cancelled";
}

const firstProducts: [name: string, price: number, category: string][] = [
  ["Notebook, squared", 4.5, "paper"],
  ["Notebook, lined", 4.5, "paper"],
  ["Writing pad", 3.2, "paper"],
  ["Envelopes, 25", 2.9, "paper"],
  ["Pencil, HB", 0.9, "writing"],
  ["Pencil, 2B", 0.9, "writing"],
  ["Fountain pen", 29, "writing"],
  ["Ink, blue", 6.4, "writing"],
  ["Eraser", 1.1, "desk"],
  ["Ruler, 30 cm", 2.4, "desk"],
  ["Stapler", 12.5, "desk"],
  ["Desk lamp", 49.9, "desk"],
];

/** The oldest are deleted beyond this number: the shop runs for weeks and stores nothing on a disk. */
const maxKept = 500;

class Shelf<Item extends { id: string }> {
  readonly #items = new Map<string, Item>();
  get = (id: string) => this.#items.get(id);
  all = () => [...this.#items.values()];
  put(item: Item): Item {
    this.#items.set(item.id, item);
    if (this.#items.size > maxKept) this.remove(this.#items.keys().next().value as string);
    return item;
  }
  remove = (id: string) => this.#items.delete(id);
}

/** All of the shop's data, in memory. */
export function createStock() {
  const products = new Shelf<Product>();
  for (const [index, [name, price, category]] of firstProducts.entries()) {
    products.put({ id: `p-${index + 1}`, name, price, category, inStock: 40 });
  }
  return {
    products,
    baskets: new Shelf<Basket>(),
    orders: new Shelf<Order>(),
    tokens: new Shelf<{ id: string }>(),
    makeId: (kind: string) => `${kind}-${randomUUID().slice(0, 8)}`,
    total: (lines: Line[]) =>
      Math.round(
        lines.reduce((sum, line) => sum + (products.get(line.productId)?.price ?? 0) * line.quantity, 0) * 100,
      ) / 100,
  };
}

export type Stock = ReturnType<typeof createStock>;
