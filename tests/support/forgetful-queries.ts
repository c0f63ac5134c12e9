import { currentOrganization } from "../../services/kit/database/organization-scope.ts";
import { PreparingClient } from "../../services/kit/database/prepared.ts";

const condition = /(?:"?\w+"?\.)*"?\borganization_id\b"? = (?:any\((\$\d+)(?:::uuid\[\])?\)|(\$\d+)(?:::uuid)?)/g;

/** A statement without its conditions on organizations, as if its author had forgotten them. Its parameters keep their positions. */
export const forgetOrganization = (text: string): string =>
  text.replace(condition, (_, list?: string, one?: string) =>
    list ? `${list}::uuid[] is not null` : `${one}::uuid is not null`,
  );

export interface Forgetfulness {
  /** Number of statements that lost a condition. */
  readonly count: number;
  end(): void;
}

/** Until it is ended, queries for an organization, of any service, have no condition on it. */
export function beginForgetting(): Forgetfulness {
  const { query } = PreparingClient.prototype;
  let count = 0;
  PreparingClient.prototype.query = function forgetful(requested, ...others) {
    if (typeof requested !== "string" || !currentOrganization()) return query.call(this, requested, ...others);
    const left = forgetOrganization(requested);
    if (left !== requested) count += 1;
    // Prepared under a different name, since connections cache the original statement.
    return query.call(
      this,
      left.replace(/prepared as (\w+)/, left === requested ? "prepared as $1" : "prepared as f_$1"),
      ...others,
    );
  };
  return {
    get count() {
      return count;
    },
    end() {
      PreparingClient.prototype.query = query;
    },
  };
}
