import { firstRoom } from "./bookings-document.ts";
import { firstAuthor } from "./books-document.ts";

export interface Received {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** @param line such as `GET /books?limit=1` */
export type Send = (line: string, body?: unknown, headers?: Record<string, string>) => Promise<Received>;

/** A few requests manually whose last response is another one when the fault is on. */
export type Show = (send: Send) => Promise<Received>;

const book = { title: "Emma", authorId: firstAuthor, genre: "novel", price: 700, pages: 474 };
const booking = { roomId: firstRoom, from: "2026-07-01", nights: 3, guests: 2, email: "ada@example.com" };
const room = { name: "Red", beds: 2, nightly: { amount: 100, currency: "EUR" } };
const secondBook = "/books/b0000000-0000-4000-8000-000000000002";
const firstNote = "/notes/c0000000-0000-4000-8000-000000000001";
const noteOf = ({ body }: Received) => `/notes/${body.id}`;
const bookOf = ({ body }: Received) => `/books/${body.id}`;
const noKey = { "x-api-key": "" };

const books: Record<string, Show> = {
  "title-with-nul": (send) => send("POST /books", { ...book, title: "a\0b" }),
  "offset-beyond-32-bits": (send) => send("GET /books?offset=2147483648"),
  "subtitle-null": (send) => send("POST /books", { ...book, subtitle: null }),
  "price-maximum-ignored": (send) => send("POST /books", { ...book, price: 500_001 }),
  "genre-not-checked": (send) => send(`PATCH ${secondBook}`, { genre: "opera" }),
  "limit-above-maximum": (send) => send("GET /books?limit=101"),
  "price-zero-refused": (send) => send("POST /books", { ...book, price: 0 }),
  "title-one-too-short": (send) => send("POST /books", { ...book, title: "t".repeat(120) }),
  "pages-overlap": (send) => send("GET /books?offset=1&limit=1"),
  "last-item-missing": (send) => send("GET /books?offset=1&limit=1"),
  "author-filter-ignored": (send) => send(`GET /books?genre=science&authorId=${firstAuthor}`),
  "list-without-author": async (send) => {
    await send("POST /books", { ...book, subtitle: "A novel" });
    return send("GET /books");
  },
  "author-with-books-409": (send) => send(`DELETE /authors/${firstAuthor}`),
  "read-after-delete": async (send) => {
    await send(`DELETE ${secondBook}`);
    return send(`GET ${secondBook}`);
  },
  "patch-resets-subtitle": async (send) => {
    const made = await send("POST /books", { ...book, subtitle: "A novel" });
    return send(`PATCH ${bookOf(made)}`, { price: 1 });
  },
  "no-location": async (send) => {
    const made = await send("POST /authors", { name: "Jane Austen" });
    await send("GET /authors?limit=1");
    await send(`GET /authors/${made.body.id}`);
    return made;
  },
  "price-as-text": (send) => send(`GET ${secondBook}`),
};

const tasks: Record<string, Show> = {
  "name-with-emoji": (send) => send("POST /projects", { name: "🏠" }),
  "empty-labels": (send) => send("POST /projects/1/tasks", { title: "t", labels: [] }),
  "page-beyond-the-end": (send) => send("GET /projects?page=2"),
  "second-delete-500": async (send) => {
    await send("DELETE /tasks/1");
    return send("DELETE /tasks/1");
  },
  "tag-of-title-only": (send) => send("PUT /tasks/1", { title: "Pack books", status: "done" }),
  "if-match-ignored": (send) => send("PUT /tasks/1", { title: "t" }, { "if-match": '"of-another"' }),
  "never-304": async (send) => {
    const { headers } = await send("GET /tasks/1");
    return send("GET /tasks/1", undefined, { "if-none-match": headers.get("etag")! });
  },
  "deleted-in-list": async (send) => {
    await send("DELETE /tasks/1");
    return send("GET /projects/1/tasks");
  },
  "change-after-delete": async (send) => {
    await send("DELETE /projects/1");
    return send("PUT /projects/1", { name: "p" });
  },
  "put-appends-labels": async (send) => {
    await send("PUT /tasks/1", { title: "t", labels: ["a"] });
    return send("PUT /tasks/1", { title: "t", labels: ["b"] });
  },
  "open-includes-doing": async (send) => {
    await send("PUT /tasks/1", { title: "t", status: "doing" });
    return send("GET /projects/1/tasks?status=open");
  },
  "moment-without-zone": (send) => send("GET /projects"),
  "delete-later-202": (send) => send("DELETE /projects/1"),
  "at-least-five": (send) => send("GET /projects/1/tasks?perPage=1"),
  "done-is-completed": async (send) => {
    await send("PUT /tasks/1", { title: "t", status: "done" });
    return send("GET /tasks/1");
  },
  "name-not-required": (send) => send("POST /projects", {}),
  "labels-not-unique": (send) => send("POST /projects/1/tasks", { title: "t", labels: ["a", "a"] }),
  "read-opens-archived": async (send) => {
    await send("PUT /projects/1", { name: "p", isArchived: true });
    await send("GET /projects/1");
    return send("GET /projects/1");
  },
  "estimate-fraction-lost": (send) => send("POST /projects/1/tasks", { title: "t", estimate: 0.5 }),
};

const notes: Record<string, Show> = {
  "search-is-a-pattern": (send) => send("GET /notes?q=%5B"),
  "id-of-another-type": async (send) => {
    await send("GET /health", undefined, noKey);
    return send("GET /notes/none");
  },
  "delete-without-key": (send) => send(`DELETE ${firstNote}`, undefined, noKey),
  "labels-without-key": async (send) => {
    await send("GET /labels");
    return send("GET /labels", undefined, noKey);
  },
  "read-marks-as-read": async (send) => {
    await send(`GET ${firstNote}`);
    return send(`GET ${firstNote}`);
  },
  "search-marks-as-read": async (send) => {
    await send("GET /notes");
    return send("GET /notes");
  },
  "text-truncated": (send) => send("POST /notes", { title: "t", text: "x".repeat(256) }),
  "zone-dropped": (send) => send("POST /notes", { title: "t", remindAt: "2026-05-01T08:00:00+02:00" }),
  "empty-text-not-found": async (send) => {
    const made = await send("POST /notes", { title: "t" });
    return send(`GET ${noteOf(made)}`);
  },
  "label-with-slash-not-found": async (send) => {
    await send("PUT /labels/a%2Fb", { colour: "#000000" });
    return send("GET /labels/a%2Fb");
  },
  "label-twice": async (send) => {
    await send("PUT /labels/errands", { colour: "#000000" });
    return send("GET /labels");
  },
  "not-found-as-html": async (send) => {
    await send("DELETE /labels/errands");
    return send("GET /labels/errands");
  },
  "note-as-text": (send) => send("POST /notes", { title: "t", isPinned: true }),
  "remind-format-not-checked": (send) => send("POST /notes", { title: "t", remindAt: "tomorrow" }),
  "unknown-members-accepted": (send) => send(`PATCH ${firstNote}`, { colour: "red" }),
  "pinned-coerced": (send) => send("POST /notes", { title: "t", isPinned: "true" }),
  "latin-titles-only": async (send) => {
    const made = await send("POST /notes", { title: "Ελλάδα" });
    await send(`PATCH ${firstNote}`, { isPinned: true });
    await send(`DELETE ${firstNote}`);
    return made;
  },
  "colour-pattern-not-anchored": (send) => send("PUT /labels/errands", { colour: "#000000;" }),
};

const bookings: Record<string, Show> = {
  "leap-day": (send) => send("POST /bookings", { ...booking, from: "2028-02-29" }),
  "no-payers": (send) => send(`GET /quotes?roomId=${firstRoom}&nights=2&payers=0`),
  "long-name": (send) => send("POST /rooms", { ...room, name: "n".repeat(256) }),
  "unknown-sort": (send) => send("GET /rooms?sort=size"),
  "breakfast-required": (send) => send("POST /bookings", booking),
  "longest-stay-refused": (send) => send("POST /bookings", { ...booking, nights: 60, wantsBreakfast: true }),
  "canceled-with-one-l": (send) => send("PUT /bookings/1/cancellation", { reason: "Ill" }),
  "coupon-left-out": (send) => send("GET /bookings/1"),
  "until-with-time": (send) => send("GET /bookings"),
  "email-not-checked": (send) => send("POST /bookings", { ...booking, email: "ada" }),
  "negative-beds": (send) => send("POST /rooms", { ...room, beds: -1 }),
  "empty-name": (send) => send("POST /rooms", { ...room, name: "" }),
  "cancelled-not-deleted": async (send) => {
    await send("PUT /bookings/1/cancellation", { reason: "Ill" });
    return send("DELETE /bookings/1");
  },
  "one-digit-only": async (send) => {
    const { body } = await send("POST /bookings", booking);
    return send(`GET /bookings/${body.id}`);
  },
  "no-count-when-filtered": async (send) => {
    await send(`GET /rooms/${firstRoom}`);
    return send("GET /rooms?beds=2");
  },
  "cancel-after-delete": async (send) => {
    await send("DELETE /bookings/1");
    return send("PUT /bookings/1/cancellation", { reason: "Ill" });
  },
  "status-filter-ignored": async (send) => {
    await send("PUT /bookings/1/cancellation", { reason: "Ill" });
    return send("GET /bookings?status=reserved");
  },
  "patch-resets-breakfast": async (send) => {
    const { body } = await send("POST /bookings", { ...booking, wantsBreakfast: true });
    const changed = await send(`PATCH /bookings/${body.id}`, { guests: 1 });
    await send(`DELETE /rooms/${firstRoom}`);
    return changed;
  },
};

export const shownFaults: Record<string, Show> = { ...books, ...tasks, ...notes, ...bookings };
