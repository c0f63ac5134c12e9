import { Pagination, type PaginationProps } from "~/ui/pagination/pagination";
import { listAddress } from "./list-address";

export interface CursorPagesProps extends Pick<PaginationProps, "label" | "summary"> {
  address: string;
  /** Whether the address contains a cursor, and in which parameter. */
  cursor: string | boolean | null | undefined;
  name?: string;
  nextCursor: string | null | undefined;
}

/** Pagination of a list with a cursor in its address: to the next page, or back to the first. */
export function CursorPages({ address, cursor, name = "cursor", nextCursor, ...rest }: CursorPagesProps) {
  return (
    <Pagination
      {...rest}
      firstHref={cursor ? listAddress(address, { [name]: undefined }) : undefined}
      nextHref={nextCursor ? listAddress(address, { [name]: nextCursor }) : undefined}
    />
  );
}
