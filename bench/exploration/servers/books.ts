import { booksDocument, firstAuthor } from "./books-document.ts";
import type { Fault, FaultyServer, HasFault } from "./faulty-server.ts";
import { createClock, createUuids, slice } from "./stored.ts";
import { type Answer, type Handlers, refuse, type Values } from "./strict-router.ts";

interface Author {
  id: string;
  name: string;
  bornOn: string | null;
}

interface Book {
  id: string;
  title: string;
  authorId: string;
  genre: string;
  price: number;
  pages: number;
  subtitle: string | null;
  publishedOn?: string;
  createdAt: string;
}

const createBook = { method: "post", path: "/books" } as const;
const listBooks = { method: "get", path: "/books" } as const;
const getBook = { method: "get", path: "/books/{bookId}" } as const;
const changeBook = { method: "patch", path: "/books/{bookId}" } as const;
const deleteAuthor = { method: "delete", path: "/authors/{authorId}" } as const;
const bookRules = "/components/schemas/BookInput/properties";

const faults: Fault[] = [
  {
    id: "title-with-nul",
    what: "A title with U+0000 is a 500, since the database refuses it.",
    kinds: ["serverError"],
    operations: [createBook, changeBook],
  },
  {
    id: "offset-beyond-32-bits",
    what: "An offset above 2147483647 is a 500, since the database's integer overflows.",
    kinds: ["serverError"],
    operations: [listBooks],
  },
  {
    id: "subtitle-null",
    what: "null for the nullable subtitle is a 500, since its length is read.",
    kinds: ["serverError"],
    operations: [createBook, changeBook],
  },
  {
    id: "price-maximum-ignored",
    what: "A new book's price above the maximum is accepted.",
    kinds: ["acceptedInvalid"],
    operations: [createBook],
    judgesBy: { [`${bookRules}/price/maximum`]: undefined },
  },
  {
    id: "genre-not-checked",
    what: "A change to a genre that is not in the enumeration is accepted.",
    kinds: ["acceptedInvalid"],
    operations: [changeBook],
    judgesBy: { "/components/schemas/BookChange/properties/genre/enum": undefined },
  },
  {
    id: "limit-above-maximum",
    what: "A limit above the maximum is accepted.",
    kinds: ["acceptedInvalid"],
    operations: [listBooks],
    judgesBy: { "/paths/~1books/get/parameters/3/schema/maximum": undefined },
  },
  {
    id: "price-zero-refused",
    what: "A price of 0 is refused as if it were missing.",
    kinds: ["refusedValid"],
    operations: [createBook],
  },
  {
    id: "title-one-too-short",
    what: "A title of exactly the longest allowed length is refused.",
    kinds: ["refusedValid"],
    operations: [createBook],
    judgesBy: { [`${bookRules}/title/maxLength`]: 119 },
  },
  {
    id: "pages-overlap",
    what: "Each page after the first repeats the last item of the one before.",
    kinds: ["pages"],
    operations: [listBooks],
  },
  {
    id: "last-item-missing",
    what: "The last item of the list is on no page when it would be the first of its page.",
    kinds: ["pages"],
    operations: [listBooks],
  },
  {
    id: "author-filter-ignored",
    what: "The filter by author is ignored when a genre is given, too.",
    kinds: ["filter"],
    operations: [listBooks],
  },
  {
    id: "list-without-author",
    what: "Items of the list have no authorId, though it is required, when they have a subtitle.",
    kinds: ["responseSchema"],
    operations: [listBooks],
  },
  {
    id: "author-with-books-409",
    what: "Removing an author who has books is an undocumented 409.",
    kinds: ["undocumentedStatus"],
    operations: [deleteAuthor],
  },
  {
    id: "read-after-delete",
    what: "A deleted book can still be read.",
    kinds: ["usedAfterDelete"],
    operations: [getBook],
  },
  {
    id: "patch-resets-subtitle",
    what: "A change that doesn't name the subtitle resets it to null.",
    kinds: ["valueLost"],
    operations: [changeBook, getBook],
  },
  {
    id: "no-location",
    what: "The documented Location of a new author is missing.",
    kinds: ["responseHeaders"],
    operations: [{ method: "post", path: "/authors" }],
  },
  {
    id: "price-as-text",
    what: "A book of 1,000 or more cents is read with its price as text with a thousands separator.",
    kinds: ["responseSchema"],
    operations: [getBook],
  },
];

function create(has: HasFault): Handlers {
  const now = createClock();
  const nextAuthorId = createUuids("a0000000");
  const nextBookId = createUuids("b0000000");
  const authors = new Map<string, Author>();
  const books = new Map<string, Book>();
  const deleted = new Map<string, Book>();

  const addAuthor = ({ name, bornOn = null }: Values) => {
    const author = { id: nextAuthorId(), name, bornOn } as Author;
    authors.set(author.id, author);
    return author;
  };
  const addBook = (input: Values) => {
    const book = { subtitle: null, ...input, id: nextBookId(), createdAt: now() } as Book;
    books.set(book.id, book);
    return book;
  };
  addAuthor({ name: "Virginia Woolf", bornOn: "1882-01-25" });
  const other = addAuthor({ name: "Carl Sagan" });
  addBook({ title: "Orlando", authorId: firstAuthor, genre: "novel", price: 900, pages: 333 });
  addBook({ title: "Cosmos", authorId: other.id, genre: "science", price: 1450, pages: 396 });

  const missing = () => refuse(404, "There is none with this identifier.");
  const withBook = ({ bookId }: Values, use: (book: Book) => Answer): Answer => {
    const book = books.get(bookId as string);
    return book ? use(book) : missing();
  };
  const withAuthor = ({ authorId }: Values, use: (author: Author) => Answer): Answer => {
    const author = authors.get(authorId as string);
    return author ? use(author) : missing();
  };

  /** Why the members of a new or changed book can't be stored. */
  function judge(body: Values): Answer | undefined {
    if (has("title-with-nul") && String(body.title ?? "").includes("\0"))
      throw new Error("invalid byte sequence for encoding UTF8: 0x00");
    if (has("subtitle-null") && "subtitle" in body) (body.subtitle as string).trim();
    if (body.authorId !== undefined && !authors.has(body.authorId as string)) return refuse(422, "No such author.");
    return undefined;
  }

  return {
    listAuthors: ({ query }) => {
      const all = [...authors.values()];
      return {
        status: 200,
        body: { items: slice(all, query.offset as number, query.limit as number), total: all.length },
      };
    },
    createAuthor: ({ body }) => {
      const author = addAuthor(body);
      if (has("no-location")) return { status: 201, body: author };
      return { status: 201, body: author, headers: { Location: `/authors/${author.id}` } };
    },
    getAuthor: ({ path }) => withAuthor(path, (author) => ({ status: 200, body: author })),
    deleteAuthor: ({ path }) =>
      withAuthor(path, ({ id }) => {
        const own = [...books.values()].filter(({ authorId }) => authorId === id);
        if (has("author-with-books-409") && own.length > 0) return refuse(409, "The author has books.");
        for (const book of own) books.delete(book.id);
        authors.delete(id);
        return { status: 204 };
      }),
    listBooks: ({ query }) => {
      const { genre, authorId, sort } = query;
      const offset = query.offset as number;
      const limit = query.limit as number;
      if (has("offset-beyond-32-bits") && offset > 2_147_483_647) throw new Error("integer out of range");
      const ignoresAuthor = has("author-filter-ignored") && genre !== undefined;
      const found = [...books.values()]
        .filter((book) => genre === undefined || book.genre === genre)
        .filter((book) => authorId === undefined || ignoresAuthor || book.authorId === authorId)
        .sort((one, two) => (sort === "price" ? one.price - two.price : one.title < two.title ? -1 : 1));
      const start = has("pages-overlap") && offset > 0 ? offset - 1 : offset;
      let items: Partial<Book>[] = slice(found, start, limit);
      if (has("last-item-missing") && offset > 0 && offset === found.length - 1) items = [];
      if (has("list-without-author"))
        items = items.map(({ authorId: own, ...book }) => (book.subtitle ? book : { ...book, authorId: own }));
      return { status: 200, body: { items, total: found.length } };
    },
    createBook: ({ body }) => {
      if (has("price-zero-refused") && !body.price) return refuse(400, "price is missing.");
      const refusal = judge(body);
      if (refusal) return refusal;
      const book = addBook(body);
      return { status: 201, body: book, headers: { Location: `/books/${book.id}` } };
    },
    getBook: ({ path }) => {
      const gone = has("read-after-delete") && deleted.get(path.bookId as string);
      if (gone) return { status: 200, body: gone };
      return withBook(path, (book) => {
        const isText = has("price-as-text") && book.price >= 1_000;
        return { status: 200, body: isText ? { ...book, price: book.price.toLocaleString("en-GB") } : book };
      });
    },
    changeBook: ({ path, body }) =>
      withBook(path, (book) => {
        const refusal = judge(body);
        if (refusal) return refusal;
        const changed = { ...book, ...(has("patch-resets-subtitle") && { subtitle: null }), ...body } as Book;
        books.set(book.id, changed);
        return { status: 200, body: changed };
      }),
    deleteBook: ({ path }) =>
      withBook(path, (book) => {
        books.delete(book.id);
        deleted.set(book.id, book);
        return { status: 204 };
      }),
  };
}

export const bookShop: FaultyServer = { name: "book shop", document: booksDocument, faults, create };
