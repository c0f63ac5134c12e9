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

export const firstRoom = "d0000000-0000-4000-8000-000000000001";

const { NotFound, Invalid, NotAcceptable, TooLarge, UnknownReference, UnsupportedMediaType } = problems;
const id = { type: "string", format: "uuid" };
const roomId: Parameter = { name: "roomId", in: "path", required: true, schema: id, example: firstRoom };
const bookingId: Parameter = {
  name: "bookingId",
  in: "path",
  required: true,
  schema: { type: "integer", minimum: 1, maximum: 2_147_483_647 },
  example: 1,
};
const currency = { type: "string", enum: ["EUR", "USD", "GBP", "JPY"] };
const moment = { type: "string", format: "date-time" };
const date = { type: "string", format: "date" };
const guests = { type: "integer", minimum: 1, maximum: 12 };
const nights = { type: "integer", minimum: 1, maximum: 60 };
const states = { type: "string", enum: ["reserved", "cancelled"] };
const roomMembers = {
  name: { type: "string", minLength: 1, maxLength: 500 },
  beds: { type: "integer", minimum: 1, maximum: 8 },
  nightly: refer("Money"),
};
const bookingMembers = {
  roomId: id,
  from: date,
  nights,
  guests,
  email: { type: "string", format: "email", maxLength: 254 },
  wantsBreakfast: { type: "boolean" },
  coupon: { type: ["string", "null"], pattern: "^[A-Z]{3}-[0-9]{4}$" },
};
const counted = { "X-Total-Count": { type: "integer", minimum: 0 } };
const booking = { roomId: firstRoom, from: "2026-07-01", nights: 3, guests: 2, email: "ada@example.com" };

export const bookingsDocument: ServerDocument = {
  openapi: "3.1.0",
  info: { title: "Bookings", version: "4.1.0" },
  paths: {
    "/rooms": {
      get: {
        operationId: "listRooms",
        summary: "List rooms",
        parameters: [
          { name: "sort", in: "query", schema: { type: "string", enum: ["name", "beds"], default: "name" } },
          { name: "beds", in: "query", schema: roomMembers.beds },
        ],
        responses: { 200: gives("Rooms", { type: "array", items: refer("Room") }, counted), ...failures() },
      },
      post: {
        operationId: "createRoom",
        summary: "Add a room",
        requestBody: sent(refer("RoomInput"), { name: "Blue", beds: 2, nightly: { amount: 9500, currency: "EUR" } }),
        responses: { 201: gives("Added", refer("Room")), ...failures("b") },
      },
    },
    "/rooms/{roomId}": {
      get: {
        operationId: "getRoom",
        summary: "Read a room",
        parameters: [roomId],
        responses: { 200: gives("The room", refer("Room")), ...failures("n") },
      },
      delete: {
        operationId: "deleteRoom",
        summary: "Remove a room with its bookings",
        parameters: [roomId],
        responses: { 204: { description: "Removed" }, ...failures("n") },
      },
    },
    "/quotes": {
      get: {
        operationId: "getQuote",
        summary: "What a stay costs",
        parameters: [
          { name: "roomId", in: "query", required: true, schema: id, example: firstRoom },
          { name: "nights", in: "query", required: true, schema: nights, example: 2 },
          {
            name: "payers",
            in: "query",
            description: "Who share the price; 0 where it is not shared.",
            schema: { type: "integer", minimum: 0, maximum: 12, default: 0 },
          },
        ],
        responses: { 200: gives("The price", refer("Quote")), ...failures("n") },
      },
    },
    "/bookings": {
      get: {
        operationId: "listBookings",
        summary: "List bookings",
        parameters: [
          { name: "roomId", in: "query", schema: id },
          { name: "status", in: "query", schema: states },
        ],
        responses: { 200: gives("Bookings", { type: "array", items: refer("Booking") }, counted), ...failures() },
      },
      post: {
        operationId: "createBooking",
        summary: "Book a room",
        requestBody: sent(refer("BookingInput"), booking),
        responses: { 201: gives("Booked", refer("Booking")), ...failures("br") },
      },
    },
    "/bookings/{bookingId}": {
      get: {
        operationId: "getBooking",
        summary: "Read a booking",
        parameters: [bookingId],
        responses: { 200: gives("The booking", refer("Booking")), ...failures("n") },
      },
      patch: {
        operationId: "changeBooking",
        summary: "Change members of a booking",
        parameters: [bookingId],
        requestBody: sent(refer("BookingChange"), { guests: 1 }),
        responses: { 200: gives("Changed", refer("Booking")), ...failures("nbr") },
      },
      delete: {
        operationId: "deleteBooking",
        summary: "Delete a booking",
        parameters: [bookingId],
        responses: { 204: { description: "Deleted" }, ...failures("n") },
      },
    },
    "/bookings/{bookingId}/cancellation": {
      put: {
        operationId: "cancelBooking",
        summary: "Cancel a booking",
        parameters: [bookingId],
        requestBody: sent(refer("Cancellation"), { reason: "Ill" }),
        responses: { 200: gives("Cancelled", refer("Booking")), ...failures("nb") },
      },
    },
  },
  components: {
    schemas: {
      Problem: problemSchema,
      Money: {
        type: "object",
        required: ["amount", "currency"],
        properties: { amount: { type: "integer", minimum: 0, maximum: 10_000_000 }, currency },
        additionalProperties: false,
      },
      RoomInput: {
        type: "object",
        required: ["name", "beds", "nightly"],
        properties: roomMembers,
        additionalProperties: false,
      },
      Room: {
        type: "object",
        required: ["id", "name", "beds", "nightly"],
        properties: { id, ...roomMembers },
        additionalProperties: false,
      },
      Quote: {
        type: "object",
        required: ["total", "each"],
        properties: {
          total: { type: "integer", minimum: 0 },
          each: { type: ["integer", "null"], minimum: 0 },
          currency,
        },
        additionalProperties: false,
      },
      BookingInput: {
        type: "object",
        required: ["roomId", "from", "nights", "guests", "email"],
        properties: bookingMembers,
        additionalProperties: false,
      },
      BookingChange: {
        type: "object",
        minProperties: 1,
        properties: bookingMembers,
        additionalProperties: false,
      },
      Cancellation: {
        type: "object",
        required: ["reason"],
        properties: { reason: { type: "string", maxLength: 300 } },
        additionalProperties: false,
      },
      Booking: {
        type: "object",
        required: ["id", ...Object.keys(bookingMembers), "until", "status", "createdAt"],
        properties: { id: bookingId.schema, ...bookingMembers, until: date, status: states, createdAt: moment },
        additionalProperties: false,
      },
    },
    responses: { NotFound, Invalid, NotAcceptable, TooLarge, UnknownReference, UnsupportedMediaType },
  },
};
