import { expect, test } from "vitest";
import { readTypedMoment } from "./typed-moment.ts";

const now = Date.parse("2026-11-29T23:30:00Z");
const read = (text: string, timeZone = "Europe/Madrid") => {
  const typed = readTypedMoment(text, { timeZone, now });
  return "moment" in typed ? typed.moment : typed.error;
};

test("common date and time formats are parsed in the given time zone", () => {
  for (const text of [
    ...["2026-11-27 22:00", "2026-11-27T22:00", "2026-11-27T22:00:00", "27 Nov 2026, 22:00", "27 November 2026 22:00"],
    ...["Nov 27, 2026 10 pm", "november 27 2026 at 10:00 p.m.", "27.11.2026 22:00", " Fri 27 Nov 2026,  22:00 "],
    ...["2026-11-27 22:00 Europe/Madrid", "2026-11-27 21:00 UTC", "2026-11-27T21:00Z", "2026-11-27 22:00 +01:00"],
    ...["27 Nov 2026, 22:00 UTC+1", "27 Nov 2026, 17:30 UTC−3:30", "27 Nov 2026, 22:00 CET"],
  ]) {
    expect([text, read(text)]).toEqual([text, "2026-11-27T21:00:00.000Z"]);
  }
});

test("today and tomorrow are days of the zone", () => {
  expect(read("today 09:00")).toBe("2026-11-30T08:00:00.000Z");
  expect(read("Tomorrow 9 am", "America/New_York")).toBe("2026-11-30T14:00:00.000Z");
});

test("a time that is skipped is refused with the next one, and of one that occurs twice the first is meant", () => {
  expect(read("2026-03-29 02:30", "Europe/Berlin")).toBe(
    "02:30 does not exist on 29 March 2026 in Europe/Berlin: clocks are set forward. The next time is 03:00",
  );
  expect(read("2026-10-25 02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  expect(read("2026-10-25 02:30 UTC+1", "Europe/Berlin")).toBe("2026-10-25T01:30:00.000Z");
  expect(read("2026-10-25 02:30 CET", "Europe/Berlin")).toBe("2026-10-25T01:30:00.000Z");
  expect(read("2026-10-25 02:30 cest", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
});

test("unparsable input is refused with an example of valid input", () => {
  expect(read("")).toBe("Enter a date and a time, e.g. 2026-11-27 22:00");
  expect(read("soon")).toContain("This can't be read");
  expect(read("2026-02-31 10:00")).toContain("2026-02-31 does not exist");
  expect(read("2026-11-27")).toBe("Add a time, e.g. 2026-11-27 22:00");
  expect(read("2026-11-27 25:00")).toContain("25:00 is no time of day");
  expect(read("11/27/2026 22:00")).toContain("day and month can be swapped");
  expect(read("2026-11-27 22:00 Mars/Olympus")).toContain("“Mars/Olympus” is no time zone");
});
