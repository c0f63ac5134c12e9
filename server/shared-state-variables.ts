import { z } from "zod";
import { variable } from "./variable.ts";
import { isNatsAddress, seconds, wholeNumber } from "./variable-kinds.ts";

/** Connections to the database. */
export const databaseVariables = {
  maximumConnections: variable("DATABASE_POOL_SIZE", wholeNumber(2, 1_000, "needs a number from 2 to 1000"), {
    default: "10",
    meaning: "connections of this process to PostgreSQL at most, and one more to listen",
  }),
  connectSeconds: variable("DATABASE_CONNECT_SECONDS", seconds(1), {
    default: "10",
    meaning: "how long to wait for a free connection, and for a new one",
  }),
  idleSeconds: variable("DATABASE_IDLE_SECONDS", seconds(1), {
    default: "10",
    meaning: "idle connections are closed after that long",
  }),
  statementSeconds: variable("DATABASE_STATEMENT_SECONDS", seconds(0), {
    default: "0",
    meaning: "the database ends a statement that takes longer; 0 sets no limit, migrations have none",
  }),
};

/** What carries notifications and work between processes instead of the database. */
export const natsVariables = {
  url: variable(
    "NATS_URL",
    z.string().refine((text) => text.split(",").every(isNatsAddress), {
      error: "needs addresses separated by commas, e.g. nats://user:password@nats-1:4222,nats://nats-2:4222",
    }),
    {
      unset: "the database hands out work and notifies processes of changes",
      meaning:
        "a NATS cluster with JetStream that [does so instead](../scaling.md#nats), e.g. `nats://user:password@nats-1:4222,nats://nats-2:4222`",
    },
  ),
  replicas: variable("NATS_REPLICAS", wholeNumber(1, 5, "needs a number of servers from 1 to 5"), {
    default: "1",
    meaning: "how many servers of the NATS cluster keep what waits; 3 survives the loss of one",
  }),
};
