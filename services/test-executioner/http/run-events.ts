import { notFound } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { WatchedMembers } from "../domain/watched-members.ts";
import type { ChangeFeed } from "../jobs/feeds.ts";
import { findFirstUnfinished, listMoving, toMember } from "../store/members.ts";
import { findRun, toRunSummary } from "../store/run-list.ts";
import type { ExecutionDatabase, RunRow } from "../store/tables.ts";
import { Changes } from "./changes.ts";
import { streamEvents } from "./event-stream.ts";

/** A run changes hundreds of times; watchers are notified a few times a second. */
const collectMilliseconds = 250;
/** A page reads the run a moment before it watches: endings since then are sent again. */
const recentMilliseconds = 10_000;

export function createRunEventHandlers(parts: {
  db: ExecutionDatabase;
  changeFeed: ChangeFeed;
  stopping: AbortSignal;
}): Pick<Handlers<typeof testExecutionerContract>, "watchRun"> {
  const { db, changeFeed, stopping } = parts;
  return {
    async watchRun({ caller, params, query, request }) {
      const { organizationId } = caller;
      const run = { organizationId, runId: params.runId };
      if (!(await findRun(db, organizationId, params.runId))) throw notFound("run");
      return streamEvents({ request, caller }, stopping, async (send, signal) => {
        const changes = new Changes(changeFeed, (changed) => changed.has(params.runId), signal);
        const members = new MovingMembers(db, run, new WatchedMembers(query));
        try {
          let sent = "";
          for (;;) {
            // The run first: when it says that all have ended, the members read after it are complete.
            const row = await findRun(db, organizationId, params.runId);
            if (!row) return;
            const summary = toRunSummary(row);
            const isFirst = sent === "";
            if (isFirst && !(await send("run", summary))) return;
            const items = await members.listChanged(row);
            if (items.length > 0 && !(await send("members", { items }))) return;
            const text = JSON.stringify(summary);
            if (!isFirst && (text !== sent || row.finished_at) && !(await send("run", summary))) return;
            if (isFirst && row.finished_at && items.length > 0 && !(await send("run", summary))) return;
            sent = text;
            if (row.finished_at || signal.aborted) return;
            await changes.next(collectMilliseconds);
          }
        } finally {
          changes.end();
        }
      });
    },
  };
}

/** Finds changes among the members of a run, reading only from the first that has not ended. */
class MovingMembers {
  readonly #db: ExecutionDatabase;
  readonly #run: { organizationId: string; runId: string };
  readonly #watched: WatchedMembers;
  readonly #known = new Map<number, string>();
  #settled = 0;
  #isFirst = true;

  constructor(db: ExecutionDatabase, run: { organizationId: string; runId: string }, watched: WatchedMembers) {
    this.#db = db;
    this.#run = run;
    this.#watched = watched;
  }

  async listChanged(run: RunRow) {
    const firstUnfinished = await findFirstUnfinished(this.#db, this.#run);
    const rows = await listMoving(this.#db, this.#run, this.#settled);
    const newest = rows.reduce((latest, row) => Math.max(latest, row.finished_at?.getTime() ?? 0), 0);
    const changed = rows
      .map((row) => toMember(row, run))
      .filter((member) => {
        const text = JSON.stringify(member);
        const isNew = this.#known.get(member.position) !== text;
        this.#known.set(member.position, text);
        const isOld = this.#isFirst && member.finishedAt && newest - Date.parse(member.finishedAt) > recentMilliseconds;
        return isNew && !isOld && this.#watched.isWatched(member);
      });
    this.#isFirst = false;
    this.#settle(firstUnfinished);
    return changed;
  }

  /** The position was read before the rows: all members before it had ended when these were read. */
  #settle(firstUnfinished: number | undefined): void {
    if (firstUnfinished === undefined) return;
    this.#settled = firstUnfinished - 1;
    for (const position of this.#known.keys()) if (position <= this.#settled) this.#known.delete(position);
  }
}
