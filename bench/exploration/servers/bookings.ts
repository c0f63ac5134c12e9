import { bookingsDocument } from "./bookings-document.ts";
import type { Fault, FaultyServer, HasFault } from "./faulty-server.ts";
import { createClock, createUuids } from "./stored.ts";
import { type Answer, type Call, type Handlers, refuse, type Values } from "./strict-router.ts";

interface Room {
  id: string;
  name: string;
  beds: number;
  nightly: { amount: number; currency: string };
}

interface Booking {
  id: number;
  roomId: string;
  from: string;
  nights: number;
  guests: number;
  email: string;
  wantsBreakfast: boolean;
  coupon: string | null;
  until: string;
  status: string;
  createdAt: string;
}

const listRooms = { method: "get", path: "/rooms" } as const;
const createRoom = { method: "post", path: "/rooms" } as const;
const getQuote = { method: "get", path: "/quotes" } as const;
const listBookings = { method: "get", path: "/bookings" } as const;
const createBooking = { method: "post", path: "/bookings" } as const;
const getBooking = { method: "get", path: "/bookings/{bookingId}" } as const;
const changeBooking = { method: "patch", path: "/bookings/{bookingId}" } as const;
const deleteBooking = { method: "delete", path: "/bookings/{bookingId}" } as const;
const cancelBooking = { method: "put", path: "/bookings/{bookingId}/cancellation" } as const;
const bookingRules = "/components/schemas/BookingInput/properties";

const faults: Fault[] = [
  {
    id: "leap-day",
    what: "A stay from 29 February is a 500, since the same day of the next year is looked up.",
    kinds: ["serverError"],
    operations: [createBooking, changeBooking],
  },
  {
    id: "no-payers",
    what: "A price shared by 0 is a 500, since it is divided by it.",
    kinds: ["serverError"],
    operations: [getQuote],
  },
  {
    id: "long-name",
    what: "A room's name of more than 255 characters is a 500, though 500 are documented.",
    kinds: ["serverError"],
    operations: [createRoom],
  },
  {
    id: "unknown-sort",
    what: "An unknown field to sort by is a 500 instead of 400.",
    kinds: ["serverError"],
    operations: [listRooms],
    judgesBy: { "/paths/~1rooms/get/parameters/0/schema/enum": undefined },
  },
  {
    id: "breakfast-required",
    what: "A booking without the optional wantsBreakfast is refused.",
    kinds: ["refusedValid"],
    operations: [createBooking],
    judgesBy: {
      "/components/schemas/BookingInput/required": ["roomId", "from", "nights", "guests", "email", "wantsBreakfast"],
    },
  },
  {
    id: "longest-stay-refused",
    what: "The longest documented stay is refused.",
    kinds: ["refusedValid"],
    operations: [createBooking],
    judgesBy: { [`${bookingRules}/nights`]: { type: "integer", minimum: 1, exclusiveMaximum: 60 } },
  },
  {
    id: "canceled-with-one-l",
    what: "A cancelled booking has the status canceled, which is not in the enumeration.",
    kinds: ["responseSchema"],
    operations: [cancelBooking],
  },
  {
    id: "coupon-left-out",
    what: "A booking without a coupon is read without the required, nullable member coupon.",
    kinds: ["responseSchema"],
    operations: [getBooking],
  },
  {
    id: "until-with-time",
    what: "The list gives until with a time though it is a date.",
    kinds: ["responseSchema"],
    operations: [listBookings],
  },
  {
    id: "email-not-checked",
    what: "Any text is accepted as an email address.",
    kinds: ["acceptedInvalid"],
    operations: [createBooking],
    judgesBy: { [`${bookingRules}/email/format`]: undefined },
  },
  {
    id: "negative-beds",
    what: "A room with no or a negative number of beds is accepted.",
    kinds: ["acceptedInvalid"],
    operations: [createRoom],
    judgesBy: { "/components/schemas/RoomInput/properties/beds/minimum": undefined },
  },
  {
    id: "empty-name",
    what: "A room with an empty name is accepted.",
    kinds: ["acceptedInvalid"],
    operations: [createRoom],
    judgesBy: { "/components/schemas/RoomInput/properties/name/minLength": undefined },
  },
  {
    id: "cancelled-not-deleted",
    what: "Deleting a cancelled booking is an undocumented 403.",
    kinds: ["undocumentedStatus"],
    operations: [deleteBooking],
  },
  {
    id: "one-digit-only",
    what: "Bookings with an identifier of more than one digit can't be read (404).",
    kinds: ["notReadable"],
    operations: [getBooking],
  },
  {
    id: "no-count-when-filtered",
    what: "The documented X-Total-Count is missing when rooms are filtered.",
    kinds: ["responseHeaders"],
    operations: [listRooms],
  },
  {
    id: "cancel-after-delete",
    what: "A deleted booking can still be cancelled.",
    kinds: ["usedAfterDelete"],
    operations: [cancelBooking],
  },
  {
    id: "status-filter-ignored",
    what: "The list has cancelled bookings when those that are reserved are asked for.",
    kinds: ["filter"],
    operations: [listBookings],
  },
  {
    id: "patch-resets-breakfast",
    what: "A change that doesn't name wantsBreakfast resets it to false.",
    kinds: ["valueLost"],
    operations: [changeBooking, getBooking],
  },
];

const addDays = (date: string, days: number) => {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.getUTCFullYear() > 9_999 ? "9999-12-31" : moment.toISOString().slice(0, 10);
};

function create(has: HasFault): Handlers {
  const now = createClock();
  const nextRoomId = createUuids("d0000000");
  const rooms = new Map<string, Room>();
  const bookings = new Map<number, Booking>();
  const deleted = new Map<number, Booking>();
  let lastBooking = 0;

  const addRoom = ({ name, beds, nightly }: Values) => {
    const room = { id: nextRoomId(), name, beds, nightly } as Room;
    rooms.set(room.id, room);
    return room;
  };
  const toBooking = (body: Values, known: Values): Booking => {
    const joined = { ...known, ...body } as unknown as Booking;
    if (has("leap-day") && joined.from.endsWith("-02-29")) throw new RangeError("day is out of range for month");
    return { ...joined, until: addDays(joined.from, joined.nights) };
  };
  const addBooking = (body: Values) => {
    const known = { id: lastBooking + 1, wantsBreakfast: false, coupon: null, status: "reserved", createdAt: now() };
    const booking = toBooking(body, known);
    bookings.set(++lastBooking, booking);
    return booking;
  };
  const blue = addRoom({ name: "Blue", beds: 2, nightly: { amount: 9500, currency: "EUR" } });
  addRoom({ name: "Attic", beds: 1, nightly: { amount: 6000, currency: "EUR" } });
  for (let count = 1; count <= 9; count++) {
    const from = `2026-0${count}-10`;
    addBooking({ roomId: blue.id, from, nights: 2, guests: 1, email: "ada@example.com" });
  }

  const missing = () => refuse(404, "There is none with this identifier.");
  const withRoom = (id: unknown, use: (room: Room) => Answer): Answer => {
    const room = rooms.get(id as string);
    return room ? use(room) : missing();
  };
  const withBooking = ({ path }: Call, use: (booking: Booking) => Answer): Answer => {
    const booking = bookings.get(path.bookingId as number);
    return booking ? use(booking) : missing();
  };
  const isUnknownRoom = ({ roomId }: Values) => roomId !== undefined && !rooms.has(roomId as string);
  const counted = (all: unknown[]): Answer => ({
    status: 200,
    body: all,
    headers: { "X-Total-Count": String(all.length) },
  });

  return {
    listRooms: ({ query }) => {
      const sort = query.sort as string;
      if (sort !== "name" && sort !== "beds") throw new Error(`column "${sort}" does not exist`);
      const found = [...rooms.values()]
        .filter(({ beds }) => query.beds === undefined || beds === query.beds)
        .sort((one, two) => (sort === "beds" ? one.beds - two.beds : one.name < two.name ? -1 : 1));
      const isUncounted = has("no-count-when-filtered") && query.beds !== undefined;
      return isUncounted ? { status: 200, body: found } : counted(found);
    },
    createRoom: ({ body }) => {
      if (has("long-name") && [...(body.name as string)].length > 255)
        throw new Error("value too long for type character varying(255)");
      return { status: 201, body: addRoom(body) };
    },
    getRoom: ({ path }) => withRoom(path.roomId, (room) => ({ status: 200, body: room })),
    deleteRoom: ({ path }) =>
      withRoom(path.roomId, ({ id }) => {
        for (const booking of bookings.values()) if (booking.roomId === id) bookings.delete(booking.id);
        rooms.delete(id);
        return { status: 204 };
      }),
    getQuote: ({ query }) =>
      withRoom(query.roomId, ({ nightly }) => {
        const total = BigInt(nightly.amount) * BigInt(query.nights as number);
        const payers = BigInt(query.payers as number);
        const each = payers > 0n || has("no-payers") ? Number((total + payers - 1n) / payers) : null;
        return { status: 200, body: { total: Number(total), each, currency: nightly.currency } };
      }),
    listBookings: ({ query }) => {
      const { roomId, status } = query;
      const isAll = status === undefined || (has("status-filter-ignored") && status === "reserved");
      const found = [...bookings.values()]
        .filter((booking) => roomId === undefined || booking.roomId === roomId)
        .filter((booking) => isAll || booking.status === status);
      const isTimed = has("until-with-time");
      return counted(isTimed ? found.map((one) => ({ ...one, until: `${one.until}T00:00:00Z` })) : found);
    },
    createBooking: ({ body }) => {
      if (isUnknownRoom(body)) return refuse(422, "No such room.");
      return { status: 201, body: addBooking(body) };
    },
    getBooking: (call) => {
      if (has("one-digit-only") && (call.path.bookingId as number) > 9) return missing();
      return withBooking(call, (booking) => {
        const { coupon, ...others } = booking;
        return { status: 200, body: has("coupon-left-out") && coupon === null ? others : booking };
      });
    },
    changeBooking: (call) =>
      withBooking(call, (booking) => {
        if (isUnknownRoom(call.body)) return refuse(422, "No such room.");
        const body = has("patch-resets-breakfast") ? { wantsBreakfast: false, ...call.body } : call.body;
        const changed = toBooking(body, { ...booking });
        bookings.set(booking.id, changed);
        return { status: 200, body: changed };
      }),
    deleteBooking: (call) =>
      withBooking(call, (booking) => {
        if (has("cancelled-not-deleted") && booking.status === "cancelled") return refuse(403, "It is cancelled.");
        bookings.delete(booking.id);
        deleted.set(booking.id, booking);
        return { status: 204 };
      }),
    cancelBooking: (call) => {
      const known = bookings.get(call.path.bookingId as number);
      const booking = known ?? (has("cancel-after-delete") ? deleted.get(call.path.bookingId as number) : undefined);
      if (!booking) return missing();
      const changed = { ...booking, status: "cancelled" };
      if (known) bookings.set(booking.id, changed);
      return { status: 200, body: has("canceled-with-one-l") ? { ...changed, status: "canceled" } : changed };
    },
  };
}

export const bookings: FaultyServer = { name: "bookings", document: bookingsDocument, faults, create };
