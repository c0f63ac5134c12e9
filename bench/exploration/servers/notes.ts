import type { Fault, FaultyServer, HasFault } from "./faulty-server.ts";
import { notesDocument } from "./notes-document.ts";
import { createClock, createUuids } from "./stored.ts";
import { type Answer, type Call, type Handlers, refuse, type Values } from "./strict-router.ts";

interface Note {
  id: string;
  title: string;
  text: string;
  isPinned: boolean;
  isRead: boolean;
  remindAt: string | null;
  createdAt: string;
}

interface Label {
  name: string;
  colour: string;
}

const listNotes = { method: "get", path: "/notes" } as const;
const createNote = { method: "post", path: "/notes" } as const;
const getNote = { method: "get", path: "/notes/{noteId}" } as const;
const changeNote = { method: "patch", path: "/notes/{noteId}" } as const;
const deleteNote = { method: "delete", path: "/notes/{noteId}" } as const;
const listLabels = { method: "get", path: "/labels" } as const;
const getLabel = { method: "get", path: "/labels/{labelName}" } as const;
const putLabel = { method: "put", path: "/labels/{labelName}" } as const;
const deleteLabel = { method: "delete", path: "/labels/{labelName}" } as const;

const faults: Fault[] = [
  {
    id: "search-is-a-pattern",
    what: "A search with an unclosed bracket is a 500, since its text is used as a regular expression.",
    kinds: ["serverError"],
    operations: [listNotes],
  },
  {
    id: "id-of-another-type",
    what: "An identifier that is no UUID is a 500.",
    kinds: ["serverError"],
    operations: [getNote, changeNote, deleteNote],
    judgesBy: Object.fromEntries(
      ["get", "patch", "delete"].map((method) => [
        `/paths/~1notes~1{noteId}/${method}/parameters/0/schema/format`,
        undefined,
      ]),
    ),
  },
  {
    id: "delete-without-key",
    what: "A note is deleted without a key.",
    kinds: ["acceptedWithoutCredentials"],
    operations: [deleteNote],
    judgesBy: { "/paths/~1notes~1{noteId}/delete/security": [] },
  },
  {
    id: "labels-without-key",
    what: "Labels are listed without a key.",
    kinds: ["acceptedWithoutCredentials"],
    operations: [listLabels],
    judgesBy: { "/paths/~1labels/get/security": [] },
  },
  {
    id: "read-marks-as-read",
    what: "Reading a note sets its writable isRead.",
    kinds: ["changedByRead"],
    operations: [getNote],
  },
  {
    id: "search-marks-as-read",
    what: "A search sets the writable isRead of the notes that it finds.",
    kinds: ["changedByRead"],
    operations: [listNotes],
  },
  {
    id: "text-truncated",
    what: "A text is cut after 255 characters without a word.",
    kinds: ["valueLost"],
    operations: [createNote, changeNote, getNote],
  },
  {
    id: "zone-dropped",
    what: "The offset of remindAt is dropped, so it is another moment.",
    kinds: ["valueLost"],
    operations: [createNote, changeNote, getNote],
  },
  {
    id: "empty-text-not-found",
    what: "A note without text can't be read (404).",
    kinds: ["notReadable"],
    operations: [getNote],
  },
  {
    id: "label-with-slash-not-found",
    what: "A label whose name has a slash can be made and not be read (404).",
    kinds: ["notReadable"],
    operations: [getLabel],
  },
  {
    id: "label-twice",
    what: "Putting the same label twice makes two in the list.",
    kinds: ["notIdempotent"],
    operations: [putLabel, listLabels],
  },
  {
    id: "not-found-as-html",
    what: "The 404 of a label is an HTML page.",
    kinds: ["contentType"],
    operations: [getLabel, deleteLabel],
  },
  {
    id: "note-as-text",
    what: "A pinned note is created with a response of the type text/plain.",
    kinds: ["contentType"],
    operations: [createNote],
  },
  {
    id: "remind-format-not-checked",
    what: "Any text is accepted for remindAt.",
    kinds: ["acceptedInvalid"],
    operations: [createNote],
    judgesBy: { "/components/schemas/NoteInput/properties/remindAt/format": undefined },
  },
  {
    id: "unknown-members-accepted",
    what: "A change with a member that is not documented is accepted.",
    kinds: ["acceptedInvalid"],
    operations: [changeNote],
    judgesBy: { "/components/schemas/NoteChange/additionalProperties": true },
  },
  {
    id: "pinned-coerced",
    what: "The text true is accepted for the boolean isPinned.",
    kinds: ["acceptedInvalid"],
    operations: [createNote],
    judgesBy: { "/components/schemas/NoteInput/properties/isPinned/type": ["boolean", "string", "number"] },
  },
  {
    id: "latin-titles-only",
    what: "A title with letters beyond Latin-1 is refused.",
    kinds: ["refusedValid"],
    operations: [createNote],
    judgesBy: { "/components/schemas/NoteInput/properties/title/pattern": "^[\\u0000-\\u00ff]*$" },
  },
  {
    id: "colour-pattern-not-anchored",
    what: "A colour with text before or after it is accepted, since the pattern is not anchored.",
    kinds: ["acceptedInvalid"],
    operations: [putLabel],
    judgesBy: { "/components/schemas/LabelInput/properties/colour/pattern": "#[0-9a-f]{6}" },
  },
];

function create(has: HasFault): Handlers {
  const now = createClock();
  const nextId = createUuids("c0000000");
  const notes = new Map<string, Note>();
  const labels: Label[] = [{ name: "errands", colour: "#aa0066" }];

  const isUuid = (text: unknown) => /^[0-9a-f-]{36}$/i.test(String(text));
  const toNote = (body: Values, known: Values): Note => {
    const { title, text, isPinned, isRead, remindAt } = { ...known, ...body } as unknown as Note;
    const isCut = has("text-truncated") && text.length > 255;
    const isMoved = has("zone-dropped") && remindAt;
    return {
      id: known.id as string,
      title,
      text: isCut ? text.slice(0, 255) : text,
      isPinned: Boolean(isPinned),
      isRead,
      remindAt: isMoved ? remindAt.replace(/[+-]\d\d:\d\d$/, "Z") : remindAt,
      createdAt: known.createdAt as string,
    };
  };
  const addNote = (body: Values) => {
    const empty = { text: "", isPinned: false, isRead: false, remindAt: null };
    const note = toNote(body, { ...empty, id: nextId(), createdAt: now() });
    notes.set(note.id, note);
    return note;
  };
  addNote({ title: "Milk", text: "Two bottles" });
  addNote({ title: "Call the garage", text: "Before Friday", isPinned: true });

  const withNote = ({ path }: Call, use: (note: Note) => Answer): Answer => {
    if (!isUuid(path.noteId)) throw new Error("invalid input syntax for type uuid");
    const note = notes.get(path.noteId as string);
    return note ? use(note) : refuse(404, "No such note.");
  };
  const withLabel = ({ path }: Call, use: (label: Label) => Answer): Answer => {
    const label = labels.find(({ name }) => name === path.labelName);
    if (label) return use(label);
    if (!has("not-found-as-html")) return refuse(404, "No such label.");
    return { status: 404, text: { type: "text/html; charset=utf-8", text: "<h1>Not Found</h1>" } };
  };

  return {
    getHealth: () => ({ status: 200, body: { status: "ok" } }),
    listNotes: ({ query }) => {
      const { q, isPinned, limit } = query;
      const text = String(q ?? "").toLowerCase();
      const pattern = has("search-is-a-pattern") ? new RegExp(text, "i") : undefined;
      const found = [...notes.values()]
        .filter(({ title }) => (pattern ? pattern.test(title) : title.toLowerCase().includes(text)))
        .filter((note) => isPinned === undefined || note.isPinned === isPinned)
        .slice(0, limit as number);
      const items = found.map((note) => ({ ...note }));
      if (has("search-marks-as-read")) for (const note of found) note.isRead = true;
      return { status: 200, body: items };
    },
    createNote: ({ body }) => {
      const note = addNote(body);
      if (!has("note-as-text") || !note.isPinned) return { status: 201, body: note };
      return { status: 201, text: { type: "text/plain", text: JSON.stringify(note) } };
    },
    getNote: (call) =>
      withNote(call, (note) => {
        if (has("empty-text-not-found") && !note.text) return refuse(404, "No such note.");
        const given = { ...note };
        if (has("read-marks-as-read")) note.isRead = true;
        return { status: 200, body: given };
      }),
    changeNote: (call) =>
      withNote(call, (note) => {
        const changed = toNote(call.body, { ...note });
        notes.set(note.id, changed);
        return { status: 200, body: changed };
      }),
    deleteNote: (call) =>
      withNote(call, ({ id }) => {
        notes.delete(id);
        return { status: 204 };
      }),
    listLabels: () => ({ status: 200, body: labels }),
    getLabel: (call) => {
      const isLost = has("label-with-slash-not-found") && String(call.path.labelName).includes("/");
      return isLost ? refuse(404, "No such label.") : withLabel(call, (label) => ({ status: 200, body: label }));
    },
    putLabel: ({ path, body }) => {
      const label: Label = { name: path.labelName as string, colour: body.colour as string };
      const index = labels.findIndex(({ name }) => name === label.name);
      if (index < 0 || has("label-twice")) labels.push(label);
      else labels[index] = label;
      return { status: index < 0 ? 201 : 200, body: label };
    },
    deleteLabel: (call) =>
      withLabel(call, (label) => {
        labels.splice(labels.indexOf(label), 1);
        return { status: 204 };
      }),
  };
}

export const notes: FaultyServer = {
  name: "notes",
  document: notesDocument,
  faults,
  apiKey: { header: "x-api-key", key: "key-of-the-notes-server" },
  create,
};
