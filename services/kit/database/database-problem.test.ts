import { expect, test } from "vitest";
import { databaseProblem } from "./database-problem.ts";

const getProblem = (code: string | undefined, message = "") =>
  databaseProblem(Object.assign(new Error(message), code ? { code } : {}));

test.each([
  ["ECONNREFUSED", ""],
  ["ECONNRESET", "read ECONNRESET"],
  ["EPIPE", "write EPIPE"],
  ["57P01", "terminating connection due to administrator command"],
  ["57P03", "the database system is starting up"],
  ["53300", "sorry, too many clients already"],
  ["08006", "connection failure"],
  ["25006", "cannot execute INSERT in a read-only transaction"],
  ["53200", "out of memory"],
  [undefined, "Connection terminated unexpectedly"],
  [undefined, "Connection terminated due to connection timeout"],
  [undefined, "timeout exceeded when trying to connect"],
  [undefined, "Client has encountered a connection error and is not queryable"],
])("an unavailable database is not an internal error: %s %s", (code, message) => {
  expect(getProblem(code, message)).toMatchObject({ code: "service_unavailable", extras: { retryAfterSeconds: 5 } });
});

test("a refused connection has executed nothing, a lost one possibly has", () => {
  expect(getProblem("ECONNREFUSED")?.detail).toContain("Nothing was changed");
  expect(getProblem(undefined, "timeout exceeded when trying to connect")?.detail).toContain("Nothing was changed");
  expect(getProblem("57P03")?.detail).toContain("Nothing was changed");
  expect(getProblem("57P01")?.detail).toContain("check before you try again");
});

test("a read that lost its connection has changed nothing either", () => {
  const lost = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  expect(databaseProblem(lost, { onlyReads: true })?.detail).toBe(
    "The portal's database does not respond. Nothing was changed. Try again shortly.",
  );
});

test("connections refused by both of a name's addresses count as refused", () => {
  const both = new AggregateError([Object.assign(new Error(), { code: "ECONNREFUSED" })]);
  expect(databaseProblem(Object.assign(both, { code: "ECONNREFUSED" }))?.code).toBe("service_unavailable");
});

test.each(["53100", "ENOSPC"])("a lack of disk space is distinguished: %s", (code) => {
  expect(getProblem(code)).toMatchObject({ code: "insufficient_storage", status: 507 });
});

test.each(["23505", "42P01", "22P02", "40P01"])(
  "a statement that was itself refused remains an internal error: %s",
  (code) => {
    expect(getProblem(code)).toBeUndefined();
  },
);
