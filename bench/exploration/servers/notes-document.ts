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

const { NotFound, Invalid, NotAcceptable, TooLarge, Unauthorized, UnsupportedMediaType } = problems;
const noteId: Parameter = {
  name: "noteId",
  in: "path",
  required: true,
  schema: { type: "string", format: "uuid" },
  example: "c0000000-0000-4000-8000-000000000001",
};
const labelName: Parameter = {
  name: "labelName",
  in: "path",
  required: true,
  schema: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9 /_-]{0,29}$" },
  example: "errands",
};
const writable = {
  title: { type: "string", minLength: 1, maxLength: 100 },
  text: { type: "string", maxLength: 4000 },
  isPinned: { type: "boolean" },
  isRead: { type: "boolean" },
  remindAt: { type: ["string", "null"], format: "date-time" },
};
const id = { type: "string", format: "uuid" };
const colour = { type: "string", pattern: "^#[0-9a-f]{6}$" };

export const notesDocument: ServerDocument = {
  openapi: "3.1.0",
  info: { title: "Notes", version: "0.9.0" },
  security: [{ key: [] }],
  paths: {
    "/health": {
      get: {
        operationId: "getHealth",
        summary: "Whether it runs",
        security: [],
        responses: { 200: gives("It runs", { type: "object", required: ["status"] }), ...failures() },
      },
    },
    "/notes": {
      get: {
        operationId: "listNotes",
        summary: "Search notes",
        parameters: [
          {
            name: "q",
            in: "query",
            description: "Text in the title.",
            schema: { type: "string", minLength: 1, maxLength: 50 },
          },
          { name: "isPinned", in: "query", schema: { type: "boolean" } },
          { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 200, default: 50 } },
        ],
        responses: { 200: gives("Notes", { type: "array", items: refer("Note") }), ...failures("k") },
      },
      post: {
        operationId: "createNote",
        summary: "Write a note",
        requestBody: sent(refer("NoteInput"), { title: "Milk", text: "Two bottles" }),
        responses: { 201: gives("Written", refer("Note")), ...failures("kb") },
      },
    },
    "/notes/{noteId}": {
      get: {
        operationId: "getNote",
        summary: "Read a note",
        parameters: [noteId],
        responses: { 200: gives("The note", refer("Note")), ...failures("kn") },
      },
      patch: {
        operationId: "changeNote",
        summary: "Change members of a note",
        parameters: [noteId],
        requestBody: sent(refer("NoteChange"), { isPinned: true }),
        responses: { 200: gives("Changed", refer("Note")), ...failures("knb") },
      },
      delete: {
        operationId: "deleteNote",
        summary: "Delete a note",
        parameters: [noteId],
        responses: { 204: { description: "Deleted" }, ...failures("kn") },
      },
    },
    "/labels": {
      get: {
        operationId: "listLabels",
        summary: "List labels",
        responses: { 200: gives("Labels", { type: "array", items: refer("Label") }), ...failures("k") },
      },
    },
    "/labels/{labelName}": {
      get: {
        operationId: "getLabel",
        summary: "Read a label",
        parameters: [labelName],
        responses: { 200: gives("The label", refer("Label")), ...failures("kn") },
      },
      put: {
        operationId: "putLabel",
        summary: "Make or change a label",
        parameters: [labelName],
        requestBody: sent(refer("LabelInput"), { colour: "#00aa66" }),
        responses: { 200: gives("Changed", refer("Label")), 201: gives("Made", refer("Label")), ...failures("kb") },
      },
      delete: {
        operationId: "deleteLabel",
        summary: "Delete a label",
        parameters: [labelName],
        responses: { 204: { description: "Deleted" }, ...failures("kn") },
      },
    },
  },
  components: {
    schemas: {
      Problem: problemSchema,
      NoteInput: { type: "object", required: ["title"], properties: writable, additionalProperties: false },
      NoteChange: { type: "object", minProperties: 1, properties: writable, additionalProperties: false },
      Note: {
        type: "object",
        required: ["id", ...Object.keys(writable), "createdAt"],
        properties: { id, ...writable, createdAt: { type: "string", format: "date-time" } },
        additionalProperties: false,
      },
      LabelInput: { type: "object", required: ["colour"], properties: { colour }, additionalProperties: false },
      Label: {
        type: "object",
        required: ["name", "colour"],
        properties: { name: labelName.schema, colour },
        additionalProperties: false,
      },
    },
    responses: { NotFound, Invalid, NotAcceptable, TooLarge, Unauthorized, UnsupportedMediaType },
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } },
  },
};
