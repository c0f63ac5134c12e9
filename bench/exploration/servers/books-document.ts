import {
  failures,
  gives,
  type Parameter,
  problemSchema,
  problems,
  refer,
  type ServerDocument,
  sent,
} from "./document.ts";

export const firstAuthor = "a0000000-0000-4000-8000-000000000001";

const { NotFound, Invalid, NotAcceptable, TooLarge, UnsupportedMediaType, UnknownReference } = problems;
const authorId: Parameter = {
  name: "authorId",
  in: "path",
  required: true,
  schema: { type: "string", format: "uuid" },
  example: firstAuthor,
};
const bookId: Parameter = {
  name: "bookId",
  in: "path",
  required: true,
  schema: { type: "string", format: "uuid" },
  example: "b0000000-0000-4000-8000-000000000001",
};
const limit: Parameter = {
  name: "limit",
  in: "query",
  schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
};
const offset: Parameter = {
  name: "offset",
  in: "query",
  description: "Items to leave out at the beginning.",
  schema: { type: "integer", minimum: 0, maximum: 9007199254740991, default: 0 },
};
const writable = {
  title: { type: "string", minLength: 1, maxLength: 120 },
  authorId: { type: "string", format: "uuid" },
  genre: { type: "string", enum: ["novel", "poetry", "science", "history"] },
  price: { type: "integer", minimum: 0, maximum: 500_000, description: "In cents." },
  pages: { type: "integer", minimum: 1, maximum: 20_000 },
  subtitle: { type: ["string", "null"], maxLength: 200 },
  publishedOn: { type: "string", format: "date" },
};
const page = (item: string) => ({
  type: "object",
  required: ["items", "total"],
  properties: { items: { type: "array", items: refer(item) }, total: { type: "integer", minimum: 0 } },
});
const made = { Location: { type: "string", format: "uri-reference" } };
const example = { title: "The Waves", authorId: firstAuthor, genre: "novel", price: 1150, pages: 228 };

export const booksDocument: ServerDocument = {
  openapi: "3.1.0",
  info: { title: "Book shop", version: "1.0.0" },
  paths: {
    "/authors": {
      get: {
        operationId: "listAuthors",
        summary: "List authors",
        parameters: [limit, offset],
        responses: { 200: gives("A page", page("Author")), ...failures() },
      },
      post: {
        operationId: "createAuthor",
        summary: "Add an author",
        requestBody: sent(refer("AuthorInput"), { name: "Virginia Woolf" }),
        responses: { 201: gives("Added", refer("Author"), made), ...failures("b") },
      },
    },
    "/authors/{authorId}": {
      get: {
        operationId: "getAuthor",
        summary: "Read an author",
        parameters: [authorId],
        responses: { 200: gives("The author", refer("Author")), ...failures("n") },
      },
      delete: {
        operationId: "deleteAuthor",
        summary: "Remove an author with all books",
        parameters: [authorId],
        responses: { 204: { description: "Removed" }, ...failures("n") },
      },
    },
    "/books": {
      get: {
        operationId: "listBooks",
        summary: "List books",
        parameters: [
          { name: "genre", in: "query", schema: writable.genre },
          { name: "authorId", in: "query", schema: writable.authorId },
          { name: "sort", in: "query", schema: { type: "string", enum: ["title", "price"], default: "title" } },
          limit,
          offset,
        ],
        responses: { 200: gives("A page", page("Book")), ...failures() },
      },
      post: {
        operationId: "createBook",
        summary: "Add a book",
        requestBody: sent(refer("BookInput"), example),
        responses: { 201: gives("Added", refer("Book"), made), ...failures("br") },
      },
    },
    "/books/{bookId}": {
      get: {
        operationId: "getBook",
        summary: "Read a book",
        parameters: [bookId],
        responses: { 200: gives("The book", refer("Book")), ...failures("n") },
      },
      patch: {
        operationId: "changeBook",
        summary: "Change members of a book",
        parameters: [bookId],
        requestBody: sent(refer("BookChange"), { price: 990 }),
        responses: { 200: gives("Changed", refer("Book")), ...failures("nbr") },
      },
      delete: {
        operationId: "deleteBook",
        summary: "Remove a book",
        parameters: [bookId],
        responses: { 204: { description: "Removed" }, ...failures("n") },
      },
    },
  },
  components: {
    schemas: {
      Problem: problemSchema,
      AuthorInput: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 1, maxLength: 80 },
          bornOn: { type: ["string", "null"], format: "date" },
        },
        additionalProperties: false,
      },
      Author: {
        type: "object",
        required: ["id", "name", "bornOn"],
        properties: {
          id: { type: "string", format: "uuid" },
          name: { type: "string", minLength: 1, maxLength: 80 },
          bornOn: { type: ["string", "null"], format: "date" },
        },
        additionalProperties: false,
      },
      BookInput: {
        type: "object",
        required: ["title", "authorId", "genre", "price", "pages"],
        properties: writable,
        additionalProperties: false,
      },
      BookChange: { type: "object", minProperties: 1, properties: writable, additionalProperties: false },
      Book: {
        type: "object",
        required: ["id", "title", "authorId", "genre", "price", "pages", "subtitle", "createdAt"],
        properties: {
          id: { type: "string", format: "uuid" },
          ...writable,
          createdAt: { type: "string", format: "date-time" },
        },
        additionalProperties: false,
      },
    },
    responses: { NotFound, Invalid, NotAcceptable, TooLarge, UnsupportedMediaType, UnknownReference },
  },
};
